void same_names(const int n, const int *x, int *sums) {
  for (int g = 0; g < n; ++g) {
    sums[g] = 0;
    for (int i = 0; i < 32; ++i) sums[g] += 2 * x[32 * g + i];
  }
}
