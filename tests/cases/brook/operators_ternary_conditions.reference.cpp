void floats(Stream<float> a, Stream<double> b, Stream<float4> v, Stream<int2> o, Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    float s = a[i] == 0 ? -1 : 1;
    o[i] = {a[i] == 0 ? 2 : 1, b[i] == 0 ? 4 : 3};
    p[i] = {s * v[i].x, s * v[i].y, s * v[i].z, a[i] == 1 ? 100 : s * v[i].w};
  }
}

void integers(Stream<short> a, Stream<uint> b, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {a[i] == 0 ? 2.0f : 1.0f, b[i] == 0 ? 3.0f : a[i] > 0 ? 4.0f : 5.0f};
}
