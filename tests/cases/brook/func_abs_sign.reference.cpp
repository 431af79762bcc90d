template <class T> static T sign_of(T v) { return T((v > 0) - (v < 0)); }

void scalars(Stream<float> a, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {std::fabs(a[i]), sign_of(a[i])};
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float2> c, Stream<float4> o, Stream<float3> p, Stream<float2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = std::fabs((&a[i].x)[k]) + sign_of((&a[i].x)[k]) * 10;
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = sign_of((&b[i].x)[k]);
    q[i] = {std::fabs(c[i].y), std::fabs(c[i].x)};
  }
}

void doubles(Stream<double> a, Stream<double2> b, Stream<double2> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {std::fabs(a[i]), sign_of(a[i])};
    p[i] = {std::fabs(b[i].x) * sign_of(b[i].y), std::fabs(b[i].y) * sign_of(b[i].x)};
  }
}
