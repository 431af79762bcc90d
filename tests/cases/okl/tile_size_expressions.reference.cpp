void sizes(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 1111111 + (i % 2 ? 0 : 10000000);
}
