void sums(Stream<float4> a, int n, Stream<float4> o) {
  for (int i = 0; i < n; ++i) {
    float4 t = {0, 0, 0, 0};
    for (int k = i / 64 * 64; k < n && k < i / 64 * 64 + 64; ++k)
      t = {t.x + a[k].x, t.y + a[k].y, t.z + a[k].z, t.w + a[k].w};
    o[i] = t;
  }
}
