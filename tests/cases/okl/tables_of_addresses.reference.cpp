void look_up(const int n, float *y) {
  const float rows[3][2] = {{1, 2}, {3, 4}, {30, 40}};
  for (int i = 0; i < n; ++i)
    y[i] = rows[i % 3][i % 2] + (i % 2 ? 6 : 5) + (i % 2 ? 10 * 200 + 20 * 300 : 2 * 100 + 3 * 200);
}
