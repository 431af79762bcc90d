void of(Stream<float4> a, Stream<float4> t, Stream<int> i, Stream<float4> o, Stream<float2> p) {
  for (unsigned k = 0; k < o.size(); ++k) {
    // b = (z, w, x, y)
    o[k] = {a[k].z + a[k].x, 2 * a[k].w, 2 * a[k].x, 3};
    float4 s = t[i[k]], n = t[i[k] + 1];
    p[k] = {s.y + n.w, s.x + n.z + (a[k].x > 2 ? a[k].w : a[k].y)};
  }
}
