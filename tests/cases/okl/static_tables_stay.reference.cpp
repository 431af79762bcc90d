void look_up(const int n, float *y) {
  const float pairs[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  const int powers[4] = {1, 3, 9, 27}, rows[2][2] = {{1, 2}, {3, 4}};
  const int last[4] = {9, 99, 999, 9999}, other[2][2] = {{1, 2}, {3, 4}};
  for (int i = 0; i < n; ++i) {
    const int sum = powers[i % 4] + powers[(i + 1) % 4] + rows[i % 2][1] * 7 + 4;
    const int from = i % 2 ? 0 : 1, p0 = last[from], p1 = last[from + 1];
    const int s = 9 + 99 + 999 + 9999 + other[i % 2][1] + 1 + p0;
    const int through = s + p1 + 1 + other[0][0] + last[2];
    y[i] = (i & 1 ? 12 : 2) + through + sum + (i % 2 ? pairs[i % 3][1] : pairs[(i + 1) % 3][0]) + (i % 2 ? 2000 : 1000);
  }
}
