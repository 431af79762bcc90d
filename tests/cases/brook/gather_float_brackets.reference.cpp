static unsigned inside(double v, unsigned n) {
  v = std::trunc(v);
  return v < 0 ? 0 : v >= n ? n - 1 : unsigned(v);
}

void two(Stream<float> a, Stream<float> x, Stream<float> y, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(inside(x[k], a.extents[0]), inside(y[k], a.extents[1]));
}

void three(Stream<float> a, Stream<float3> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k)
    o[k] = a.at(inside(i[k].x, a.extents[0]), inside(i[k].y, a.extents[1]), inside(i[k].z, a.extents[2]));
}

void mixed(Stream<float> a, Stream<float> x, Stream<int> y, Stream<float2> o) {
  for (unsigned k = 0; k < o.size(); ++k) {
    unsigned i = inside(x[k], 3), j = y[k];
    o[k] = {a.at(i, j), a.at(j, i)};
  }
}
