void declared(Stream<float> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {0.25f + a[i], 3, a[i], 4};
}
