void floats(Stream<float4> a, Stream<float> s, Stream<float4> o, Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      float v = (&a[i].x)[k];
      (&o[i].x)[k] = v * s[i] + s[i] - 1;
      (&p[i].x)[k] = (v > s[i] ? 2 : 0) + (v > 1 ? 1 : 0);
    }
}

void integers(Stream<int3> a, int s, Stream<int3> o, Stream<int3> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      int v = (&a[i].x)[k];
      (&o[i].x)[k] = s - 2 * v;
      (&p[i].x)[k] = (v % s + 1) * s;
    }
}

void swizzled(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i].x * 3, a[i].y * 3, a[i].x + a[i].z, a[i].x + a[i].w};
}
