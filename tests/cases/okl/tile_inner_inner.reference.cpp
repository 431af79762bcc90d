void items(const int groups, const int n, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < n; ++i) out[n * g + i] = n - 1 - i + 100 * g + ((n - 1 - i) % 2 ? 0 : 10000);
}
