void narrow(Stream<char> a, Stream<uchar3> b, Stream<short2> c, Stream<ushort4> d, Stream<int> i, Stream<char> o,
            Stream<uchar3> p, Stream<short2> q, Stream<ushort2> r) {
  for (unsigned k = 0; k < i.size(); ++k) {
    unsigned n = i[k], next = n == 4 ? 4 : n + 1;
    o[k] = a[n];
    p[k] = {b[n].z, b[n].y, b[n].x};
    q[k] = {short(c[n].x + c[next].x), short(c[n].y + c[next].y)};
    r[k] = {d[n].w, d[n].x};
  }
}

void wide(Stream<uint> a, Stream<float3> b, Stream<double> c, Stream<double2> d, Stream<int> i, Stream<uint> o,
          Stream<float3> p, Stream<double2> q) {
  for (unsigned k = 0; k < i.size(); ++k) {
    unsigned n = i[k];
    o[k] = a[n] + 1;
    p[k] = b.at(n, 1);
    q[k] = {d[n].x * c[n], d[n].y * 2};
  }
}
