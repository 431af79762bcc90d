#include <algorithm>
void own(const int n, const int *in, float *out) {
  for (int i = 0; i < n; ++i) {
    const int v = in[i] - 5;
    out[i] = std::min({v, 2, i}) + 10 * std::max({v, -1, 3 - i}) + 100 * std::clamp(v, -2, 3) + 1.5f + (v < 0 ? -10 : 10) + (v > 0 ? 1 : 2);
  }
}
