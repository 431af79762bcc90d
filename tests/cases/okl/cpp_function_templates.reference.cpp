void templates(const int n, const float *in, double *out) {
  for (int g = 0; g < n; ++g, in += 6)
    for (int i = 0; i < 6; ++i) {
      double sum = in[0] + in[1] + in[2] + 0.25 * i * i + i * i + 2 + i + 1 + 20 + 300 + 24;
      for (int k = 0; k < 6; ++k) sum += in[k] * in[k];
      *out++ = sum;
    }
}
