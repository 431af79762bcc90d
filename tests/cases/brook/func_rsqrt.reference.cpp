void scalars(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = float(1 / std::sqrt(double(a[i])));
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float2> c, Stream<float4> o, Stream<float3> p, Stream<float2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = float(1 / std::sqrt(double((&a[i].x)[k])));
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = float(1 / std::sqrt(double((&b[i].x)[2 - k])));
    q[i] = {1, 1};
  }
}
