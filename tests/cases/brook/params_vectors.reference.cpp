void narrow(char2 a, uchar4 b, short3 c, ushort2 d, Stream<char2> o, Stream<uchar4> p, Stream<short3> q,
            Stream<ushort2> r) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {a.y, a.x};
    p[i] = {b.w, b.z, b.y, b.x};
    q[i] = {c.z, c.x, c.y};
    r[i] = {ushort(2 * d.x), ushort(2 * d.y)};
  }
}

void wide(int4 a, uint3 b, float3 c, float2 d, double2 e, Stream<int4> o, Stream<uint3> p, Stream<float3> q,
          Stream<float2> r, Stream<double2> s) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {a.w, a.z, a.y, a.x};
    p[i] = {b.z, b.x, b.y};
    q[i] = {c.y, c.z, c.x};
    r[i] = {d.y, d.x};
    s[i] = {e.y, e.x};
  }
}
