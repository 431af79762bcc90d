void namesake(const int n, const int *in, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] = in[k] + 3;
}
