void together(const int n, const float *a, const float *b, float *c, float *d) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 3; ++i) {
      c[g + n * i] = a[3 * g + i] + b[3 * g + 2 - i];
      d[g + n * i] = a[3 * g + i] - b[3 * g + i];
    }
}
