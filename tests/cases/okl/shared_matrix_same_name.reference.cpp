void reused(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g, out += 12) {
    int s[4][4];
    for (int n = 0; n < 16; ++n) s[n / 4][n % 4] = in[n] + g;
    for (int i = 0; i < 4; ++i) {
      out[i] = out[4 + i] = out[8 + i] = 0;
      for (int r = 0; r < 2; ++r) {
        for (int m = 0; m < 6; ++m) out[i] += (in[6 * i + m] + g) * (m + r);
      }
      for (int m = 0; m < 4; ++m) out[4 + i] += 3 * in[4 * i + m] - 3 * in[4 * m + i];
      out[4 + i] += 1000 * (i % 2 ? 2 * i : i) + 2 * (3 - i);
    }
    for (int r = 0; r < 3; ++r) {
      for (int i = 0; i < 4; ++i) {
        for (int m = 0; m < 4; ++m) out[8 + i] += s[i][m] + s[m][i];
      }
      for (int i = 0; i < 4; ++i) s[r][i] += 1;
    }
  }
}
