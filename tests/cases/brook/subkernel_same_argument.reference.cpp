void caller(Stream<float4> a, Stream<int2> b, Stream<float4> o, Stream<int2> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {a[i].z, a[i].w, a[i].x, a[i].y};
    p[i] = {b[i].x + 1, b[i].y};
  }
}
