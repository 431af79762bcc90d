void memories(const int n, const float *in, float *out, int *count) {
  for (int g = 0; g < n; ++g, in += 24)
    for (int i = 0; i < 6; ++i) {
      *out++ = in[4 * i + 3] + in[4 * (5 - i)] + 10 * i + in[4 * i + 1] + 0.5f + in[4 * i + 2] + 3 + 2 * (i % 3) + in[0];
      *count += i;
    }
}
