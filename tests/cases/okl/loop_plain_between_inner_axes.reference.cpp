void sandwich(const int n, int *out) {
  for (int k = 0; k < 6 * n; ++k) out[k] += 10 * (0 + 1 + 3 + 6) + 4 * (k % 2);
}
