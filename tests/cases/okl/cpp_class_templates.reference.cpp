void vectors(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g, in += 12)
    for (int i = 0; i < 4; ++i) {
      float dot = 65;
      for (int c = 0; c < 3; ++c) {
        const float a = 2 * in[3 * i + c], b = a + in[3 * (3 - i) + c];
        dot += b * (a + b);
      }
      *out++ = dot;
    }
}
