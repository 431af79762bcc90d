void signs(const int n, const unsigned, int *out) {
  for (int i = -9; i < n; ++i) out[i + 9] += 1 + ((n - 1 - i) % 2 ? 0 : 10) + (i < -1 ? 100 : 0);
}
