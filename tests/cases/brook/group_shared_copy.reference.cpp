void sums(Stream<float4> a, Stream<float4> b, Stream<float4> c) {
  for (unsigned i = 0; i < c.size(); ++i)
    c[i] = {a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w};
}
