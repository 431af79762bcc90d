static double inner(const float *a, const float *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += double(a[k]) * b[k];
  return sum;
}

void products(Stream<float2> a, Stream<float3> b, Stream<float4> c, Stream<double2> d, Stream<float3> o,
              Stream<float3> p, Stream<double> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    float3 u = b[i], r = {u.z, u.x, u.y};
    float4 v = c[i];
    o[i] = {2 * a[i].x * a[i].y, float(inner(&u.x, &r.x, 3)), float(inner(&v.x, &v.x, 4))};
    p[i] = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    q[i] = d[i].x * d[i].x + d[i].y * d[i].y;
  }
}

static void unit_of(const float *a, float *o, int n) {
  double length = std::sqrt(inner(a, a, n));
  for (int k = 0; k < n; ++k) o[k] = float(a[k] / length);
}

void unit(Stream<float2> a, Stream<float3> b, Stream<float4> c, Stream<float2> o, Stream<float3> p, Stream<float4> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    unit_of(&a[i].x, &o[i].x, 2);
    unit_of(&b[i].x, &p[i].x, 3);
    unit_of(&c[i].x, &q[i].x, 4);
  }
}

void between(Stream<float> a, Stream<float> b, Stream<float4> c, Stream<float4> d, Stream<float> t, Stream<float> o,
             Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = (1 - t[i]) * a[i] + t[i] * b[i];
    p[i] = {(1 - t[i]) * c[i].x + t[i] * d[i].x, c[i].y, d[i].z, (c[i].w + d[i].w) / 2};
  }
}
