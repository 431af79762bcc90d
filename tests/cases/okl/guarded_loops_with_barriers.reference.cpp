#include <algorithm>

void smooth(int n, int rounds, const double *in, double *out) {
  for (int g = 0; g < n; ++g) {
    double s[8], own[5], sum[5] = {}, a[8];
    std::copy(in + 8 * g, in + 8 * g + 8, s);
    std::copy(s, s + 5, own);
    s[5] = 0;
    for (int k = 0; k < 3; ++k) {
      double right[5];
      std::copy(s, s + 8, a);
      for (int i = 0; i < 5; ++i) {
        right[i] = a[i + 1];
        s[i] = (i > 0 ? a[i - 1] : own[i]) + (right[i] + k);
      }
      for (int r = g % 2; r < rounds; ++r) {
        std::copy(s, s + 8, a);
        for (int i = 0; i < 5; ++i) {
          const double next = a[(i + r) % 5];
          if (next > 100) sum[i] += 1;
          s[i] = next + r;
        }
      }
      for (int i = 0; i < 5; ++i) sum[i] += s[i] + right[i];
    }
    for (int k = rounds; k < 4; k += 2) {
      std::copy(s, s + 8, a);
      for (int i = 0; i < 5; ++i) s[i] += a[(i + 4) % 5];
    }
    for (int i = 0; i < 5; ++i) s[i] += sum[i] + own[i];
    double t[3][2], b[3][2];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) t[j][i] = s[j] + i;
    for (int k = 2; k > 0; k /= 2) {
      std::copy(&t[0][0], &t[0][0] + 6, &b[0][0]);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 2; ++i) t[j][i] += b[(j + k) % 3][1 - i];
    }
    for (int j = 0; j < 3; ++j) out[8 * g + j] = t[j][0];
    for (int i = 3; i < 8; ++i) out[8 * g + i] = s[i];
  }
}
