void caller(Stream<float> a, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i] * 1.5f, a[i] / 4};
}
