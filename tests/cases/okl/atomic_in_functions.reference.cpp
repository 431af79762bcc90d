void functions(const int groups, int *totals, float *sums, int *seen) {
  const int n = 16 * groups;
  totals[0] = 120 * groups, totals[1] = n, totals[2] = 2 * n, totals[3] = n;
  totals[4] = 120 * groups, totals[5] = n, totals[6] = 2 * n;
  sums[0] = sums[1] = 0.5f * n;
  for (int k = 0; k < n; ++k) seen[k] = 1;
}
