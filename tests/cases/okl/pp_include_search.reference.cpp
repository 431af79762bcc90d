void searched(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] = 3 * k + 100 + 5000;
}
