void lengths(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] = 6 + 100 * 21 + 1;
}
