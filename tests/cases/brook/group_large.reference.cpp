void rotate(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i / 1024 * 1024 + (i + 1) % 1024];
}
