void conditions(Stream<float> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = std::isnan(a[i]) ? 100 : std::isinf(a[i]) ? 1010 : 1001;
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float4> o, Stream<int4> p, Stream<float3> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      float v = (&a[i].x)[k];
      (&o[i].x)[k] = std::isfinite(v);
      (&p[i].x)[k] = std::isinf(v) ? 1 : std::isnan(v) ? 10 : 0;
    }
    for (int k = 0; k < 3; ++k) (&q[i].x)[k] = std::isnan((&b[i].x)[k]);
  }
}

void doubles(Stream<double> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = std::isfinite(a[i]) ? 1 : std::isinf(a[i]) ? 10 : 100;
}
