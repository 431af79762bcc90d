void scalars(Stream<float> a, Stream<float> b, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {float(std::sin(double(a[i]))), float(std::cos(double(a[i]))), float(std::asin(double(b[i]))),
            float(std::acos(double(b[i])))};
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float2> c, Stream<float4> o, Stream<float3> p, Stream<float2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = float(std::sin(double((&a[i].x)[k])) * std::cos(double((&a[i].x)[3 - k])));
    p[i] = {std::asin(b[i].x), std::asin(b[i].y), std::asin(b[i].z)};
    q[i] = {std::acos(c[i].y), std::acos(c[i].x)};
  }
}
