void caller(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    float r = a[i].w + 1;
    o[i] = {a[i].x + 110, a[i].y, r, 4 * r * r * r};
  }
}
