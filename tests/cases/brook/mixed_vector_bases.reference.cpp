void seed(Stream<int4> c, Stream<float2> a, Stream<float2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {c[i].x + 2 * a[i].x, c[i].y + 2 * a[i].y};
}

void wider(Stream<int2> c, Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {c[i].x * a[i].x, c[i].y * a[i].y, c[i].y * a[i].z, c[i].y * a[i].w};
}

void same(Stream<int3> c, Stream<float3> a, Stream<float3> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i].x / c[i].x, a[i].y / c[i].y, a[i].z / c[i].z};
}

void narrow(Stream<uchar4> c, Stream<int4> a, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = (&c[i].x)[k] * (&a[i].x)[k];
}
