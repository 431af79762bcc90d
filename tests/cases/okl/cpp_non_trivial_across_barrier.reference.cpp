void tallies(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 6)
    for (int i = 0; i < 6; ++i) *out++ += in[5 - i] + 100 + 2 * in[5 - (i + 1) % 6] + 2 * in[5];
}
