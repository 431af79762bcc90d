void scalars(Stream<float> a, Stream<float> b, Stream<float2> o, Stream<float> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {float(std::exp(double(b[i]))), float(std::log(double(a[i])))};
    p[i] = float(std::pow(double(a[i]), double(b[i])));
  }
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float2> c, Stream<float4> o, Stream<float3> p, Stream<float2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = float(std::pow(double((&a[i].x)[k]), double((&a[i].x)[3 - k])));
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = float(std::exp(double((&b[i].x)[k])));
    q[i] = {float(std::log(double(c[i].x))), float(std::log(double(c[i].y)))};
  }
}
