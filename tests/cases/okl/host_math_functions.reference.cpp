#include <algorithm>
#include <cmath>
void mathematics(const int n, const double x, const float f, double *out) {
  const double waves = std::sin(x) + std::cos(x) * std::exp(-x) + std::log(x) + std::max(x, std::sqrt(x)) + std::atan2(x, 2.0) + std::cbrt(x);
  const float single = std::sqrt(f) + f;
  const int size = n + (int) std::floor(-x) + (int) std::round(x);
  for (int k = 0; k < n; ++k)
    out[k] = std::sqrt(x) + 10 * std::pow(x, 1.5) + 100 * std::fmod(x, 0.75) + single + std::min(f, 0.5f) + std::min(n, 3) + std::max(n, 3) + size + waves + 1000;
}
