#include <algorithm>
#include <cmath>
#include <cstdlib>
using namespace std;
void mathematics(const int n, const double *x, const float *f, const int *k, double *out, float *single) {
  for (int i = 0; i < n; ++i) {
    const double v = x[i];
    out[i] = sqrt(v + 2) + fabs(v) + floor(v * 3) + ceil(v * 3) + trunc(v * 5) + fmod(v * 7, 2.0) + exp(v) + log(v + 3) + log2(v + 4) +
             log10(v + 5) + sin(v) + cos(v) + tan(v) + asin(v) + acos(v) + atan(v) + atan2(v, 2.0) + sinh(v) + cosh(v) + tanh(v) +
             pow(v + 2, 1.5) + cbrt(v) + hypot(v, 1.0) + fmin(v, 0.25) + fmax(v, -0.25) + v * 2 + 1 + round(v * 9) + exp2(v) + erf(v) +
             copysign(2.0, v) + fmin(v, 0.5) + fmax(v, 0.5) + abs(k[i] - 4) + min(k[i], 3) + max(k[i], 5);
    const double s = f[i];
    single[i] = sqrt(s + 2) + fabs(s) + fmin(fmax(s, -0.5), 0.75) + floor(3.0f * f[i]) + exp(s) + (s + 2) * (s + 2) + sin(s) + fmin(s, 0.5) + fmax(s, 0);
  }
}
