void look_up(const int n, int *y) {
  const int table[2][4] = {{1, 2, 3, 4}, {10, 20, 30, 40}};
  const int rows[2][4] = {{5, 6, 7, 8}, {50, 60, 70, 80}};
  const int last[4] = {9, 99, 999, 9999};
  for (int i = 0; i < n; ++i)
    y[i] = table[i % 2][i % 4] + 100 * rows[i % 2][(i + 1) % 4] + last[(i / 4) % 4];
}
