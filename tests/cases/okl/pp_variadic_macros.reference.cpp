void variadic(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] = (100 * k + 23) + k + 7 + 78 + 9 + 123 + 45 + 2000 + 0 + 5 + 0 + 100 + 3;
}
