void arms(Stream<int> a, Stream<float> f, Stream<float4> v, Stream<float> o, Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = a[i] > 0 ? float(a[i]) : f[i];
    p[i] = v[i];
    if (a[i] <= 1) p[i] = {f[i], f[i], f[i], f[i]};
  }
}
