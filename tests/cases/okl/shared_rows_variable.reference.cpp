void filled(const int groups, const int, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 24 * g;
    for (int i = 0; i < 8; ++i) out[8 * g + i] = s[i] + 2 * s[8 + i] + 3 * s[16 + i] + s[10] - s[23];
  }
}

void across(const int groups, const int, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 256 * g;
    for (int j = 0; j < 16; ++j) {
      for (int i = 0; i < 16; ++i) {
        double sum = 0;
        for (int k = 0; k < 16; ++k) sum += s[16 * i + k] * s[16 * i + 15 - k];
        out[256 * g + 16 * j + i] = sum + j;
      }
    }
  }
}

void halo(const int groups, const int n, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    double s[72];
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 18; ++k) s[18 * j + k] = in[72 * g + 18 * j + k] * (k >= 16 ? 2 : 1);
    }
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 16; ++i) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += s[18 * j + i + k];
        for (int k = n; k > 0; --k) sum += s[18 * (3 - j % 2) + i - k];
        out[64 * g + 16 * j + i] = sum;
      }
    }
  }
}

void middle(const int groups, const int, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    const int *s = in + 24 * g;
    for (int i = 0; i < 24; ++i) out[24 * g + i] = s[i] + 100 * s[i / 4 * 4 + 3 - i % 4];
  }
}
