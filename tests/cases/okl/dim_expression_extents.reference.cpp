void expressions(const int n, const int m, const int *a, int *b) {
  auto at = [=](int i, int j, int k) { return a[(k * (m - 1) + j) * (n + 1) + i]; };
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < m - 1; ++j)
      for (int i = 0; i < n; ++i) {
        int *row = b + (k * m + j) * (n + 1);
        row[i + 1] = at(i, j, 2 - k) + 1;
        row[i] += at(i, m - 2 - j, (k + 1) % 3) + 1000;
      }
}
