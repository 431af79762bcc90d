void tables(const int n, double *out) {
  for (int k = 0; k < 3 * n; ++k) out[k] = k % 3 - 1 + (k % 3 == 0 ? 5 : k % 3 == 1 ? 15 : 2.5);
}
