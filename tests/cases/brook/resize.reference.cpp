void sum(Stream<float> a, Stream<float> b, Stream<float> o) {
  auto of = [&](Stream<float> s, unsigned x, unsigned y) {
    return s.at(x * s.extents[0] / o.extents[0], y * s.extents[1] / o.extents[1]);
  };
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x) o.at(x, y) = of(a, x, y) + of(b, x, y);
}

void total(Stream<float> a, float *t) {
  *t = 0;
  for (unsigned i = 0; i < a.size(); ++i) *t += a[i];
}
