// Used by error_in_include.okl.
void helper(int *a) {
  @outer for (int i = 0; i < 4; ++i) a[i] = 0;
}
