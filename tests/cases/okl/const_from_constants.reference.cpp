#include <cmath>
void tables(const int n, double *out) {
  for (int i = 0; i < n; ++i) {
    const double weights[] = {0.25 / 3, std::sqrt(2.0) * std::sqrt(2.0), -0.5, 0.5};
    const double distances[] = {5e9, 5e9 - 3, 5000000000 % 7};
    const float narrow = 0.25 / 3;
    out[6 * i] = i % 4 * 0.25;
    out[6 * i + 1] = weights[2 * (i / 2 % 2) + i % 2];
    out[6 * i + 2] = narrow + 2.25;
    out[6 * i + 3] = distances[i % 3];
    out[6 * i + 4] = i % 2 ? 1.5 + 30 : 0.25 + 30;
    out[6 * i + 5] = (i % 2 ? 1 - std::sqrt(2.0) : narrow) + (i % 3 == 0 ? 3 : i % 3 == 1 ? 6 : -1);
  }
}
