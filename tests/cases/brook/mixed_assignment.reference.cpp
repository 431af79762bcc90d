void lengths(Stream<float4> a, Stream<float2> b, Stream<float> s, Stream<float2> o, Stream<float4> p,
             Stream<float3> q, Stream<float> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].x, a[i].y};
    p[i] = {b[i].x, b[i].y, b[i].y, b[i].y};
    q[i] = {s[i], s[i], s[i]};
    r[i] = a[i].x;
  }
}

void bases(Stream<int4> a, Stream<float2> b, Stream<float4> o, Stream<int3> p, Stream<uchar2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {2.0f * a[i].x, 2.0f * a[i].y, float(a[i].z), float(a[i].w)};
    p[i] = {int(b[i].x), int(b[i].y), int(b[i].y)};
    q[i] = {uchar(a[i].x), uchar(a[i].y)};
  }
}
