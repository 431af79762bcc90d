void expanded(Stream<float4> a, Stream<float4> o, Stream<float> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i].x * 6, a[i].y * 6, a[i].z * 6, a[i].w * 6};
    p[i] = (a[i].y + 0.25f) * (a[i].y + 0.25f);
  }
}
