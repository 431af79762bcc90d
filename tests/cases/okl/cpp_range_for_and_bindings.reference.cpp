void ranges(const int n, const int *in, float *out) {
  for (int g = 0; g < n; ++g, in += 6)
    for (int i = 0; i < 6; ++i) {
      const int a = in[0] + in[1] + in[2], b = in[3] + in[4] + in[5];
      *out++ = (i % 2 ? b : a) + a + b + 111 + i + 0.5f * i + 2 * i + 7 + 4 + 1 + 0.25f;
    }
}
