void caller(Stream<float> a, Stream<float4> v, Stream<float> o, Stream<float4> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = 2 * a[i];
    for (int k = 0; k < 4; ++k) (&p[i].x)[k] = (&v[i].x)[k] + (&v[i].x)[3 - k] + 6 * a[i];
  }
}

void scaled(Stream<float> a, float s, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i * a.size() / o.size()] * s;
}

void added(Stream<float4> a, Stream<float4> b, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    o[i] = {a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w};
}
