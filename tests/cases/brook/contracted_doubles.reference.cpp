#include <cmath>

void sums(Stream<double> a, Stream<double2> b, Stream<float> c, Stream<double> o, Stream<double2> v) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    double t = std::fma(a[i], b[i].x, b[i].y);
    t = std::fma(-(double)c[i], a[i], t);
    const double once = std::fmaf(c[i], c[i], c[i]);
    o[i] = std::fma(-once, b[i].y, t);
    v[i] = {std::fma(-a[i], b[i].x, b[i].x * b[i].y), std::fma(-t, b[i].y, b[i].y * b[i].x)};
  }
}
