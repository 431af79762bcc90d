void conditionals(const int n, int *a) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 4; ++i) a[4 * g + i] = 4 * g + 3 - i;
}
