void floats(Stream<int4> a, Stream<uint3> b, Stream<uchar2> c, Stream<short4> d, Stream<float4> o,
            Stream<float3> p, Stream<float2> q, Stream<float4> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {float(a[i].x), float(a[i].y), float(a[i].z), float(a[i].w)};
    p[i] = {float(b[i].x), float(b[i].y), float(b[i].z)};
    q[i] = {float(c[i].x), float(c[i].y)};
    r[i] = {d[i].x + o[i].w, d[i].y + o[i].z, d[i].z + o[i].y, d[i].w + o[i].x};
  }
}

void integers(Stream<float3> a, Stream<int3> o, Stream<ushort3> p, Stream<char3> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      float v = (&a[i].x)[k];
      int w = v != v ? 0 : v > 2e9f ? INT32_MAX : int(v);
      (&o[i].x)[k] = w;
      (&p[i].x)[k] = ushort(w);
    }
    q[i] = {char(o[i].z), char(o[i].y), char(o[i].x)};
  }
}
