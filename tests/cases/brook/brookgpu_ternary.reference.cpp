void pick(Stream<float4> a, Stream<float4> b, Stream<float3> c, Stream<float4> o, Stream<float3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = std::fmax((&a[i].x)[k], (&b[i].x)[k]);
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = (&c[i].x)[k] < 0.5f ? 1 : (&c[i].x)[k];
  }
}

void nested(Stream<float2> a, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      float v = (&a[i].x)[k];
      (&o[i].x)[k] = v < 0 ? -v : v > 1 ? k + 1 : v / 2;
    }
}
