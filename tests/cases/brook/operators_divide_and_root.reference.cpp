void divide(Stream<float> a, Stream<float> b, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = a[i] / b[i];
}

void root(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) (&o.data->x)[i] = float(std::sqrt(double((&a.data->x)[i])));
}

void double_root(Stream<double> a, Stream<double> b, Stream<double> o, Stream<double> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = a[i] / b[i];
    p[i] = std::sqrt(a[i]);
  }
}

void denormal(Stream<float> a, Stream<float> b, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i] * b[i], a[i] + a[i]};
}
