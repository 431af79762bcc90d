template <class T> static T round_of(T v) { T sum = v + T(0.5); return std::floor(sum); }

void scalars(Stream<float> a, Stream<float3> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {std::floor(a[i]), a[i] - std::floor(a[i]), round_of(a[i])};
}

void vectors(Stream<float4> a, Stream<float3> b, Stream<float2> c, Stream<float4> o, Stream<float3> p, Stream<float2> q) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) (&o.data->x)[i] = std::floor((&a.data->x)[i]);
  for (unsigned i = 0; i < 3 * a.size(); ++i) (&p.data->x)[i] = (&b.data->x)[i] - std::floor((&b.data->x)[i]);
  for (unsigned i = 0; i < 2 * a.size(); ++i) (&q.data->x)[i] = round_of((&c.data->x)[i]);
}

void doubles(Stream<double2> a, Stream<double2> o, Stream<double2> p, Stream<double2> q) {
  for (unsigned i = 0; i < 2 * a.size(); ++i) {
    double v = (&a.data->x)[i];
    (&o.data->x)[i] = std::floor(v);
    (&p.data->x)[i] = v - std::floor(v);
    (&q.data->x)[i] = round_of(v);
  }
}
