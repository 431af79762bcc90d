void halves(Stream<float> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {0.5f, a[i] + 0.75f, 7, 5};
}

void indexed(Stream<float> a, Stream<float> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[k < 5 ? k + 1 : 5] * 2 + a[0];
}
