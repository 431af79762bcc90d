void branches(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 6, out += 6)
    for (int i = 0; i < 6; ++i) out[i] = g % 3 == 0 ? in[5 - i] : g % 3 == 1 ? 2 * in[(i + 1) % 6] : 2 * in[(i + 5) % 6];
}
