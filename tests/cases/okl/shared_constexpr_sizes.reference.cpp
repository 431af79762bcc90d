void sizes(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 12, out += 12)
    for (int i = 0; i < 12; ++i) out[i] = in[11 - i] + 10 * in[(i + 1) % 12] + 100 * in[i % 5] + 1000 * in[i % 4] + in[11 - i];
}
