void floats(Stream<float4> a, Stream<float4> b, Stream<float4> lt, Stream<float4> ge, Stream<float4> eq) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) {
    float x = (&a.data->x)[i], y = (&b.data->x)[i];
    (&lt.data->x)[i] = x < y ? 1 : 0;
    (&ge.data->x)[i] = x >= y ? 1 : 0;
    (&eq.data->x)[i] = x == y ? 1 : x > y ? 10 : 0;
  }
}

void integers(Stream<int3> a, Stream<int3> b, Stream<uchar2> c, Stream<uchar2> d, Stream<int3> o, Stream<uchar2> p) {
  for (unsigned i = 0; i < 3 * a.size(); ++i) (&o.data->x)[i] = (&a.data->x)[i] <= (&b.data->x)[i] ? 1 : -1;
  for (unsigned i = 0; i < c.size(); ++i) p[i] = {c[i].x < d[i].x, c[i].y < d[i].y};
}

void scalars(Stream<float> a, Stream<float> b, Stream<short> c, Stream<short> d, Stream<double> e, Stream<float> o,
             Stream<short> p, Stream<double> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = a[i] < b[i] ? 1 : 0;
    p[i] = c[i] == d[i] ? 2 : c[i] > d[i] ? 1 : 0;
    q[i] = e[i] > 0 ? -1 : 0;
  }
}

void pairs(Stream<double2> a, Stream<double2> b, Stream<double2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {std::fmax(a[i].x, b[i].x), std::fmax(a[i].y, b[i].y)};
}
