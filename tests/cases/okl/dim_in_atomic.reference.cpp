void scatter(const int n, const int *cells, int *grid, float *sums) {
  for (int i = 0; i < n; ++i) {
    const int x = cells[2 * i], y = cells[2 * i + 1];
    grid[x + 5 * y] += 1;
    // sums(y, x) in the order (1, 0): x is the fastest.
    sums[x + 5 * y] += 0.5f;
    grid[0]++;
    grid[cells[0] + 10]--;
  }
}
