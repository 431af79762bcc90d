void components(Stream<float> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = {a[i] + 1, a[i] * 10, -3, a[i]};
}
