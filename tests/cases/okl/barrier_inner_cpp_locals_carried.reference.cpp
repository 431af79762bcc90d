void deduced(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) {
      const int j = (i + 3) % 8;
      *out++ = in[j] + j + in[7 - j] + i + in[(i + 1) % 8] + in[i] + 100;
    }
}
