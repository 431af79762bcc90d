void scalars(Stream<int> a, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {a[i] * 100 + a[i] + 2, a[i] * 100 + a[i] - 2, a[i] + 2, a[i] - 2};
}

void vectors(Stream<float4> a, Stream<int3> b, Stream<float4> o, Stream<int3> p, Stream<int3> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {-2, -2, -2, -2};
    p[i] = b[i];
    q[i] = {b[i].x - 1, b[i].y, b[i].z - 2};
  }
}
