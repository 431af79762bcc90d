void many(const int n, long *out) {
  for (int i = 0; i < n; ++i) {
    out[i] = i + 1;
    for (int k = 0; k < 6; ++k) out[i] += n + k + 2 * k + (250 + k) + (1L << (30 + k));
  }
}
