#include <cmath>
#include <cstdlib>
void mixed_calls(const int n, const long wide, const double *x, const float *y, const int *m, double *out, long *whole) {
  for (int i = 0; i < n; ++i) {
    const double a = x[i];
    const float b = y[i];
    const float first = b;
    const int second = i - 7;
    out[i] = std::sqrt(2.0) + a * a + (1 << i % 5) + std::pow((double)b, a) + 2.5 + std::fmin((double)b, a / 2);
    out[i] += i / 3 + 5.0 + (a * 2 + b) + i % 2 + std::sqrt((double)m[i]) + std::exp2((double)(second % 3));
    out[i] += (b != 0 ? 2.0 : 3.0) + 1;
    out[i] += std::fabs(a) + std::fabs(b) + std::fabs(first - 30) + 2.5;
    whole[i] = std::labs(second) - 20 < 0 ? std::labs(i - wide) : -1;
    whole[i] += 20 + (i < 3 ? i : 3) + 3 + 0;
  }
}
