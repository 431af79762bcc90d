void chained(Stream<float> a, Stream<float> b, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {a[i] + 1 + 5 + 5, a[i] + 1 + 6, 2 * a[i], b[i] + a[i] + 1};
}
