void line(Stream<float> a, Stream<float> w, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] + 10 * w[2];
}

void matrix(Stream<float3> a, Stream<float> m, Stream<float3> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    for (int r = 0; r < 3; ++r) (&o[i].x)[r] = m.at(0, r) * a[i].x + m.at(1, r) * a[i].y + m.at(2, r) * a[i].z;
}

void cube(Stream<int4> a, Stream<short4> t, Stream<double2> d, Stream<short4> o, Stream<double2> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = t.at(a[i].z, a[i].y, a[i].x);
    double2 one = d[a[i].x], other = d[1 - a[i].x];
    p[i] = {one.x + other.y, one.y + other.x};
  }
}

void clamped(Stream<int> a, Stream<int> w, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = w[a[i] < 0 ? 0 : a[i] > 4 ? 4 : a[i]];
}
