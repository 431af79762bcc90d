void reserved_okl_names(const int n, const double *in, double *out, const int width, unsigned long *twice) {
  for (int g = 0; g < n; g += 8) {
    double values[8];
    for (int i = g; i < g + 8; ++i) values[i - g] = i < n ? in[i % width + width * i] : 0;
    for (int i = g; i < g + 8; ++i) {
      if (i >= n) continue;
      const double sum = values[7 - (i - g)] + (i + 2 * width);
      const float both = i + sum;
      out[i] = both + (i * i + 3) + 7;
      twice[i] = 3 * i;
    }
  }
}
