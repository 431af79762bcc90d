void look_up(const int n, int *y) {
  for (int i = 0; i < n; ++i) y[i] = (i + i % 8) * 3 + (i % 8 + 1);
}
