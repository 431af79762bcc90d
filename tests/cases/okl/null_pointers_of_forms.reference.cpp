void options(const int n, float *y, const float *x) {
  for (int o = 0; o < n; o += 16)
    for (int i = o; i < o + 16; ++i)
      y[i] = 3 + 3 + (x[0] + 2) + (x[o] + 3) + (1 + x[i]) + (1 + x[o]);
}
