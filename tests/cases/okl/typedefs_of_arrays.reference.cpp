void traces(const int n, float *y, const float *x) {
  const float c[4] = {1, 2, 3, 4};
  for (int o = 0; o < n; o += 16)
    for (int i = o; i < o + 16; ++i) {
      const float of_m = x[i] * 1 + 0;
      const float of_s = x[o + (i - o) / 4 * 4];
      const float trace_m = (x[i] * 0 + 0) + (x[i] * 1 + 1) + (x[i] * 2 + 2) + (x[i] * 3 + 3);
      const float trace_s = x[o] + x[o + 5] + x[o + 10] + x[o + 15];
      y[i] = of_m + of_s + 1 + 3 + 5 + x[i] * 1 + trace_m + trace_s + c[i % 4] + x[i] + (x[i] * 0 + 2);
    }
}
