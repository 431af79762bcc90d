void colours(Stream<float4> a, Stream<float3> b, Stream<float4> o, Stream<float3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].z, a[i].y, a[i].x, b[i].x + a[i].w};
    p[i] = {b[i].y * a[i].x, b[i].y * a[i].y + b[i].y, b[i].y * a[i].z + b[i].x};
  }
}
