#include <cmath>
void passed(const int n, const float *in, float *out) {
  for (int k = 0; k < n; ++k) out[k] = std::sqrt(in[k]) + __builtin_popcount(k);
}
