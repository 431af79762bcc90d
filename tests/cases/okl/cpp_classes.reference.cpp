void classes(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] = (11 + k + 3) + 100 + 2 * k + 2 * (11 + k) + 2 * k + 2 + 1000;
}
