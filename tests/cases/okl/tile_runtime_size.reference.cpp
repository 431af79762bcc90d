void runtime(const int n, const int, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 1 + ((n - 1 - i) % 3 ? 0 : 10);
}
