void included(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] = 17;
}
