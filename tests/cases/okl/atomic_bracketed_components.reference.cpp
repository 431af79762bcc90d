void bracketed(const int n, int *sums, int *pairs, const int *at) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      sums[4 * at[1]] += i;
      sums[1] += 1;
      ++sums[4 * at[0] + 2];
      pairs[4 * (g % 2) + 3] -= i;
      pairs[4] += at[1];
    }
}
