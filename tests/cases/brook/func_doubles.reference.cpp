void scalars(Stream<double> a, Stream<double> b, Stream<double2> o, Stream<double2> p, Stream<double2> q, Stream<double2> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {std::sin(a[i]), std::cos(a[i])};
    p[i] = {std::asin(b[i]), std::acos(b[i])};
    q[i] = {std::exp(b[i]), std::log(a[i])};
    r[i] = {std::pow(a[i], b[i]), 1 / std::sqrt(a[i])};
  }
}

void vectors(Stream<double2> a, Stream<double2> b, Stream<double2> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    double2 x = a[i], y = b[i];
    o[i] = {std::sin(x.x) + std::exp(y.y), std::sin(x.y) + std::exp(y.x)};
    p[i] = {std::pow(x.x, y.x) / std::sqrt(x.x) - (0.75 * x.x + 0.25 * y.x),
            std::pow(x.y, y.y) / std::sqrt(x.y) - (0.5 * x.y + 0.5 * y.y)};
  }
}
