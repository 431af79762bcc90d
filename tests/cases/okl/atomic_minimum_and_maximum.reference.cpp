#include <algorithm>
void extremes(const int n, const float *in, float *f, double *d, int *i, unsigned long *m) {
  for (int k = 0; k < n; ++k) {
    f[0] = std::min(f[0], in[k]), f[1] = std::max(f[1], 2 * in[k]), f[2] = std::min(f[2], in[k]);
    d[0] = std::max(d[0], (double) in[k]), d[1] = std::min(d[1], in[k] - 10.0);
    i[0] = std::max(i[0], k % 2 ? k : -k), i[1] = std::min(i[1], -k);
    m[0] = std::max(m[0], (unsigned long) k << 40);
  }
}
void extremesOfGroup(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g) {
    out[2 * g] = *std::min_element(in + 24 * g, in + 24 * (g + 1));
    out[2 * g + 1] = *std::max_element(in + 24 * g, in + 24 * (g + 1));
  }
}
