void any(Stream<float4> a, Stream<float4> b, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    bool greater = a[i].x > b[i].x || a[i].y > b[i].y || a[i].z > b[i].z || a[i].w > b[i].w;
    o[i] = (greater ? 1 : 2) + (a[i].x != 0 || a[i].y != 0 ? 10 : 0);
  }
}
