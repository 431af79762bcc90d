void rows(const int groups, const float *in, const double *factors, double *out) {
  for (int g = 0; g < groups; ++g, in += 60, out += 5) {
    double s[5][12], f[12][5];
    for (int i = 0; i < 5; ++i) {
      for (int m = 0; m < 12; ++m) {
        s[i][m] = in[12 * i + m] - (m == 2 ? i : 0);
        f[m][i] = factors[5 * m + i];
      }
    }
    s[4][11] = 100;
    f[0][0] = 0.5;
    for (int i = 0; i < 5; ++i) {
      out[i] = 0;
      for (int r = 0; r < 3; ++r) {
        for (int m = 0; m < 12; ++m) out[i] += s[i][m] * f[(m + r) % 12][r] + f[i + r][4] + s[2][m] * r;
      }
    }
  }
}

void columns(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g, in += 48, out += 48) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 16; ++i) out[16 * j + i] = in[16 * (2 - j) + 15 - i] + 100 * in[i];
    }
  }
}
