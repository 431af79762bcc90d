void look_up(const int n, int *y) {
  for (int i = 0; i < n; ++i) y[i] = i % 4 + 1;
}
