void behind(const int n, int *a) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) a[6 * g + i] = 6 * g + 5 - i + 10 * i;
}
