void ranks(const int n, int *line, int *six) {
  for (int k = 0; k < 72 * n; ++k)
    six[k] = k % 2 + 10 * (k / 2 % 3) + 100 * (k / 6 % 2) + 1000 * (k / 12 % 2) + 10000 * (k / 24 % 3) + 100000 * (k / 72);
  for (int t = 0; t < n; ++t) line[t] = n - 1 - t;
}
