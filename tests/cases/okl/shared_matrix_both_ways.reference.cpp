#include <algorithm>

void layers(const int groups, const double *d, const double *q, double *out) {
  for (int e = 0; e < groups; ++e, q += 512, out += 64) {
    for (int j = 0; j < 8; ++j) {
      for (int i = 0; i < 8; ++i) {
        double sum = 0;
        for (int k = 0; k < 8; ++k) {
          const double *layer = q + 64 * k;
          for (int m = 0; m < 8; ++m) {
            sum += d[8 * i + m] * layer[8 * j + m] + 2 * d[8 * m + i] * layer[8 * m + i] + d[8 * k + m];
          }
        }
        out[8 * j + i] = sum;
      }
    }
  }
}

void places(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g, in += 60, out += 6) {
    float a[6][10], b[10][6];
    for (int i = 0; i < 6; ++i) {
      for (int m = 0; m < 10; ++m) {
        a[i][m] = in[10 * i + m];
        b[m][i] = a[i][m] + 1;
      }
    }
    for (int i = 0; i < 6; ++i) {
      a[i][i % 2 ? 7 : 9] += g + 1;
      if (i > 2) a[i][0] *= 2;
      else a[i][1] += 1;
      a[i][5] += 1;
      b[i][i] -= 1;
    }
    a[0][0] = 7 - a[0][0];
    a[5][0] = -1;
    for (int i = 0; i < 6; ++i) {
      float sum = 0;
      for (int r = 0; r < 4; ++r) {
        for (int m = 0; m < 6; ++m) {
          sum += (r + 1) * a[i][m + r] + std::max(a[i][m], 3.f);
          sum -= r > 1 ? a[m][i + 2] : a[m][i];
          sum += b[i + r][m] - 2 * b[m][i];
        }
      }
      out[i] = sum;
    }
  }
}

void steps(const int groups, int *out) {
  for (int g = 0; g < groups; ++g, out += 16) {
    int s[4][4], t[4][4];
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) s[j][i] = 3 * j + i + g;
    }
    for (int round = 0; round < 3; ++round) {
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
          int sum = 0;
          for (int m = 0; m < 4; ++m) sum += 3 * s[i][m] - 2 * s[m][i] + 2 * s[j][m];
          t[j][i] = sum % 11;
        }
      }
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) s[j][i] = t[j][i] + round;
      }
    }
    for (int n = 0; n < 16; ++n) out[n] = s[n / 4][n % 4];
  }
}
