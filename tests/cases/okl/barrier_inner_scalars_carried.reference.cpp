void carried(const int n, const int *in, double *out) {
  for (int g = 0; g < n; ++g, in += 12)
    for (int i = 0; i < 12; ++i) {
      const int v = in[i], other = in[11 - i], j = (i + 1) % 12;
      *out++ = in[j] + in[11 - j] + 2 * v + (v + 250) % 256 + (0.5 * i + other) + (v % 2 ? 1000 : 2000) + v + 0.25 * i + other;
    }
}
