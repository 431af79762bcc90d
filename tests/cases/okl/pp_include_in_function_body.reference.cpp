void bodies(const int n, int *out) {
  for (int k = 0; k < 4 * n; ++k) {
    const int g = k / 4, i = 3 - k % 4;
    out[k] = 4 + 9 + 25 + 10 * g + i + (i % 2 ? 10 * g + i - 1 : 0);
  }
}
