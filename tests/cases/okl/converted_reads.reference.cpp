#include <cmath>

void converted(int n, const int *in, const double *by, double *out, float *small) {
  for (int i = 0; i < n; ++i) {
    out[i] = std::fmax(double(in[i] / 2), in[i] > 4 ? by[i] : out[i]);
    out[i] += std::sqrt(double(in[i] / 2));
    small[i] = in[i] > 6 ? small[i] : float(by[i]);
    small[i] += std::fmax(float(in[i] / 2), small[i]);
  }
}
void components(int n, const int *in, const double *by, int *out) {
  for (int i = 0; i < n; ++i) {
    const int both[2] = {in[i], in[n - 1 - i] > 5 ? in[i] : out[2 * i + 1]};
    for (int c = 0; c < 2; ++c) out[2 * i + c] = int(by[i] * 4) * both[c];
  }
}
