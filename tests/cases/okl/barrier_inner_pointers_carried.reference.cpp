void pointers(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = i + 10 * in[(i + 1) % 8] + 100 * in[i / 2 + 1] + 1000 * in[4 + i % 4] + in[i];
}
