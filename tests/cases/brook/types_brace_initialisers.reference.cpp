void lists(Stream<float4> a, Stream<int2> b, Stream<float4> o, Stream<int2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = (&a[i].x)[k] + k + 1;
    p[i] = {b[i].x * 10, b[i].y * 20};
  }
}
