void bracketed(const int n, int *sums, int *totals) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 64; ++i) {
      sums[g % 2] += i;
      sums[2 + g % 2] += i;
      totals[i % 3 * 2] += g;
      totals[i % 3 * 2 + 1]++;
      sums[4] += i;
    }
}
