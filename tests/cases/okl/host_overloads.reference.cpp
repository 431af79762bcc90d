#include <cmath>
void overloads(const int n, double *out) {
  // Heron's formula: s = 6.25, so the area is sqrt(6.25 * 3.25 * 1.75 * 1.25) = 6.6658...
  const double exact = std::sqrt(6.25 * 3.25 * 1.75 * 1.25);
  for (int i = 0; i < n; ++i) out[i] = n * n + 100 * 2 * n + std::floor(exact * 1000 + 0.5) / 1000 + 1000 * std::floor(exact + 0.5) + i;
}
