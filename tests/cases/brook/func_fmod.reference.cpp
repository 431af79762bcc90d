void scalars(Stream<float> a, Stream<float> b, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = std::fmod(a[i], b[i]);
}

void vectors(Stream<float4> a, Stream<float4> b, Stream<float3> c, Stream<float4> o, Stream<float3> p) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) (&o.data->x)[i] = std::fmod((&a.data->x)[i], (&b.data->x)[i]);
  for (unsigned i = 0; i < a.size(); ++i)
    p[i] = {std::fmod(c[i].x, c[i].y), std::fmod(c[i].y, c[i].z), std::fmod(c[i].z, c[i].x)};
}

void doubles(Stream<double> a, Stream<double> b, Stream<double2> c, Stream<double> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = std::fmod(a[i], b[i]);
    p[i] = {std::fmod(c[i].x, 0.3), std::fmod(c[i].y, -0.7)};
  }
}
