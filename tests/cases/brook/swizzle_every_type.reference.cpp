void narrow(Stream<char4> a, Stream<uchar3> b, Stream<short4> c, Stream<ushort2> d, Stream<char4> o,
            Stream<uchar3> p, Stream<short4> q, Stream<ushort2> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {char(a[i].w + a[i].z), char(a[i].w + a[i].z), a[i].x, a[i].y};
    p[i] = {b[i].y, b[i].z, b[i].x};
    q[i] = {c[i].z, c[i].w, c[i].z, c[i].z};
    r[i] = {d[i].y, d[i].x};
  }
}

void wide(Stream<int4> a, Stream<uint3> b, Stream<float2> c, Stream<double2> d, Stream<int4> o, Stream<uint3> p,
          Stream<float2> q, Stream<double2> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].x, a[i].w, a[i].z, a[i].z};
    p[i] = {b[i].z, b[i].x, b[i].y};
    q[i] = {c[i].y, c[i].x};
    r[i] = {2 * d[i].y, d[i].x};
  }
}
