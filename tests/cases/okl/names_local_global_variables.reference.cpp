void plain(const int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i) out[i] = in[i] + (2 * in[i] + 1) * 3 + 4;
}
