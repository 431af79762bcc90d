void filled(Stream<float> a, Stream<float4> b, Stream<float4> o, Stream<float2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i] + b[i].x, a[i] + b[i].y, a[i] + b[i].z, a[i] + b[i].w};
    p[i] = {a[i], a[i] * b[i].w};
  }
}
