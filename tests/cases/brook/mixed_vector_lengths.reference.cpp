void longer(Stream<float2> a, Stream<float4> b, Stream<float3> c, Stream<float4> o, Stream<float4> p, Stream<float3> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const float *x = &a[i].x, *y = &b[i].x, *z = &c[i].x;
    for (int k = 0; k < 4; ++k) {
      (&o[i].x)[k] = x[k < 2 ? k : 1] + y[k];
      (&p[i].x)[k] = y[k] - z[k < 3 ? k : 2];
    }
    for (int k = 0; k < 3; ++k) (&q[i].x)[k] = z[k] * x[k < 2 ? k : 1];
  }
}

void integers(Stream<int2> a, Stream<int3> b, Stream<int3> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {b[i].x % a[i].x, b[i].y % a[i].y, b[i].z % a[i].y};
}
