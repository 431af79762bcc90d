#include <cmath>
void arrays(const int n, const double *in, double *out) {
  for (int g = 0; g < n; ++g, in += 12) {
    double y[3], z = 0, a = 0, b = 0;
    for (int i = 0; i < 3; ++i) {
      y[i] = 0;
      for (int k = 0; k < 3; ++k) y[i] += in[3 * i + k] * in[9 + k];
    }
    for (int k = 0; k < 3; ++k) z += y[k] * y[k];
    for (int k = 0; k < 6; ++k) a += std::fabs(in[k]);
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) b += std::fabs(y[k]);
    const double v = z + a + b;
    for (int i = 0; i < 3; ++i) *out++ = (int) v + 0.5 * (v - (int) v);
  }
}
