void spaced(const int n, const float *a, const float *b, float *c) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 4; ++i) {
      float &r = c[g + n * i];
      r = a[4 * g + 3 - i] + b[4 * g + i];
      r += 1.0f;
      if (i == 0) r += 0.5f;
    }
}
