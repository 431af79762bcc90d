void defined(const int n, unsigned long *out) {
  for (int k = 0; k < n; ++k) out[k] = 2 * k + 5 + 1 + 2 * 3 + 10;
}
