void manyNests(const int n, const int m, int *out) {
  for (int k = 0; k < 4 * n; ++k) {
    out[k] = k % 4 + 10 * (k / 4);
    if (m > 1) out[k] *= m;
    for (int r = 0; r < m; ++r) out[k] += 1000 * r - (k < r);
  }
}
