void sum(Stream<float> a, Stream<float> b, Stream<float> c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * 2 + b[i];
}

void constants(Stream<float> a, Stream<float> o) {
  for (std::size_t i = 0; i < o.size(); ++i) {
    const float value = a[i] / 2 * 3 + 5;
    o[i] = value > 100 ? 0 : value;
  }
}
