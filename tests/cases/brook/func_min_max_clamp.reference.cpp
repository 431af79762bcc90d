template <class T> static T clamped(T x, T a, T b) { return std::fmin(std::fmax(x, a), b); }

void scalars(Stream<float> a, Stream<float> b, Stream<float3> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {std::fmin(a[i], b[i]), std::fmax(a[i], b[i]), clamped(a[i], -1.0f, 1.0f)};
}

void vectors(Stream<float4> a, Stream<float4> b, Stream<float4> c, Stream<float4> o, Stream<float4> p) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) {
    float x = (&a.data->x)[i], y = (&b.data->x)[i], z = (&c.data->x)[i];
    (&o.data->x)[i] = std::fmin(x, y) * std::fmax(y, z);
    (&p.data->x)[i] = clamped(x, y, z);
  }
}

void smaller(Stream<float3> a, Stream<float2> b, Stream<float3> o, Stream<float2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {std::fmax(a[i].x, a[i].z), std::fmax(a[i].y, a[i].x), std::fmax(a[i].z, a[i].y)};
    p[i] = {clamped(b[i].x, -0.5f, 0.0f), clamped(b[i].y, 0.0f, 0.5f)};
  }
}

void doubles(Stream<double> a, Stream<double2> b, Stream<double> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = clamped(a[i], -0.25, std::fmax(0.25, a[i] / 2));
    p[i].x = p[i].y = std::fmin(b[i].x, b[i].y);
  }
}
