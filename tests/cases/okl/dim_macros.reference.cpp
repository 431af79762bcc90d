void throughMacros(const int n, const int *a, int *u, int *v) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) {
      u[6 * g + i] = a[12 * g + i] - a[12 * g + 6 + i];
      if (g < 2) v[6 * g + i] = a[12 * g + 5 - i] + u[6 * g + i];
    }
}
