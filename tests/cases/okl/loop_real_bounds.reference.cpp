void real_bounds(const int n, const float most, const double last, int *a, int *b, int *c, int *d) {
  for (int i = 0; i < most; ++i) a[i] = i + 1;
  for (int i = 1; i <= last * 0.5; i += 2) b[i] = i;
  for (int g = 0; g < 0.25f * n; ++g)
    for (int i = 0; i < 4; ++i) c[4 * g + i] = g;
  for (int i = n - 1; i >= 0 && i >= most - 7; --i) d[i] = i;
  for (int i = n - 1; n - 2.5 < i; --i) d[i] += 1000;
}
