void filled(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g, in += 16, out += 16) {
    for (int n = 0; n < 16; ++n) {
      const int i = n % 4;
      out[n] = 0;
      for (int m = 0; m < 4; ++m) {
        out[n] += 4 * (4 * in[4 * i + m] + 6 * in[4 * m + i]);
        out[n] += 4 * (5 * (i - m + (i == 0 ? 7 : 0)) - (m - i + (m == 0 ? 7 : 0)));
      }
    }
  }
}
