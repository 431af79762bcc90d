void named(const int n, const int *in, int *out, int *total) {
  for (int g = 0; g < n; ++g) {
    int t[6];
    for (int i = 0; i < 6; ++i) total[0] += t[i] = in[6 * g + 5 - i] + i * i;
    for (int i = 0; i < 6; ++i) out[6 * g + i] = t[i] + t[(i + 1) % 6];
    total[1] += g;
  }
}
