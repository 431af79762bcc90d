void narrowing(Stream<double> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = float(a[i]);
}

void widening(Stream<float> a, Stream<double> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = a[i];
}

void pairs(Stream<float2> a, Stream<double2> b, Stream<double2> o, Stream<float2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].x + b[i].x, a[i].y + b[i].y};
    p[i] = {float(o[i].x), float(o[i].y)};
  }
}
