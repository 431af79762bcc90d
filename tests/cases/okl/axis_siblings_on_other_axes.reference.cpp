void axes(const int n, int *out) {
  for (int k = 0; k < 12 * n; ++k) {
    const int i = 11 - k % 12;
    out[k] += i + 100 * (i < 3) + 1000 * (i < 10) + 20000 * (i > 9);
  }
}
