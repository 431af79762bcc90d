#include <cmath>
#include <limits>
void library(const int n, const double x, const float f, double *out) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const int questions = 1 + 2 + 4 + 8 + 16 + (x > 0.5 ? 32 : 0) + 0 + 128 + (x != 2 ? 256 : 0) + 0 + 0 + 2048;
  const double rounded = -3 + 20 + 100 * std::floor(f + 0.5) + 1000 * std::rint(x) + 20000;
  int power = 0;
  std::frexp(x, &power);
  const double scaled = 8 * x + x / 4 + 16 * f + 2 * f;
  const double special = std::erf(x) + 2 * (1 - std::erf(x)) + 3 * std::tgamma(x + 1) + 4 * std::lgamma(x + 3) + 5 * std::erf(f);
  const double bessel = ::j0(x) + 2 * ::j1(x) + 3 * ::jn(2, x) + 4 * ::y0(x) + 5 * ::y1(x) + 6 * ::yn(2, x);
  const double several = x * x + 1 + 5 + 3 - 2 + (x > 0.25 ? x - 0.25 : 0) + std::remainder(x, 0.7) + std::pow(2, x) + std::exp(x) - 1
    + std::log(1 + x) + std::log(x) / std::log(2.0) + std::log(x) / std::log(10.0) + std::asinh(x) + std::acosh(x + 1) + std::atanh(x / 8) - std::floor(x) + std::rint(x);
  (void)none;
  for (int i = 0; i < n; ++i) {
    out[8 * i] = questions;
    out[8 * i + 1] = 1 + 4;
    out[8 * i + 2] = rounded;
    out[8 * i + 3] = power - 1 - 40 + 900;
    out[8 * i + 4] = scaled;
    out[8 * i + 5] = special;
    out[8 * i + 6] = bessel;
    out[8 * i + 7] = 1 - 1 + several;
  }
}
