void sums(Stream<float4> a, Stream<float2> b, Stream<float3> c, Stream<float2> o, Stream<float3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].x + b[i].x, a[i].y + b[i].y};
    p[i] = {c[i].x * a[i].x, c[i].y * a[i].y, c[i].z * a[i].z};
  }
}
