void counted(const int n, int *x) {
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < 4; ++i) x[4 * b + i] = 6 + 100 * 2 * (12 + b + 1) + 10000 * (b + 1);
}
