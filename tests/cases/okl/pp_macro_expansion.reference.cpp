void expansion(const int n, float *out) {
  for (int k = 0; k < n; ++k) {
    const int sum = 13 + 2 * k + 4 + 10 + (k + 1) * 5 + 12 + 2 + 7;
    out[k] = 100 + 1000 * sum + 1 + 2 + 2 + 100;
  }
}
