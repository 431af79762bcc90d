void rowDots(const int n, const int *a, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      out[8 * g + i] = 0;
      for (int k = 0; k < 8; ++k) out[8 * g + i] += a[8 * g + k] * (i + k);
    }
}
