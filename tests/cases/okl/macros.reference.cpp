void macros(const int n, const double *in, double *out) {
  const int width = N / 2;
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < width; ++i) out[g * width + i] = in[g * width + width - 1 - i] + 4;
}
