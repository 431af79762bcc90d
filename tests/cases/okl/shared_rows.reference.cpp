static double total(const double *values, const int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

void firstRow(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 24 * g;
    for (int i = 0; i < 8; ++i) out[8 * g + i] = s[i] + 2 * s[8 + i] + 3 * s[16 + i] + s[10] - s[23];
  }
}

void cube(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 24 * g;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 8; ++i) {
        double sum = 2;
        for (int k = 0; k < 2; ++k) sum += s[12 * k + 4 * j + i % 4] * (s[12 * (1 - k) + 4 * j + (i + 1) % 4] + 1);
        out[24 * g + 8 * j + i] = sum + s[23];
      }
    }
  }
}

void named(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 12 * g;
    for (int i = 0; i < 4; ++i) out[4 * g + i] = s[i] + 2 * s[4 + i] + 3 * s[8 + i];
  }
}

void passed(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 24 * g;
    for (int i = 0; i < 8; ++i) {
      double value = s[8 + i] + s[16 + i] + 3;
      value += total(s, 24) + total(s + 16, 8) + (s[7] + s[16]);
      out[8 * g + i] = value;
    }
  }
}

void turned(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g) {
    const double *s = in + 256 * g;
    for (int j = 0; j < 16; ++j) {
      for (int i = 0; i < 16; ++i) {
        double sum = 0;
        for (int k = 0; k < 16; ++k) sum += s[16 * i + k] * s[16 * k + j];
        out[256 * g + 16 * j + i] = sum;
      }
    }
  }
}
