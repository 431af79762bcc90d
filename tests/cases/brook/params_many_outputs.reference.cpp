void fan(Stream<float> a, Stream<float> f0, Stream<float> f1, Stream<float> f2, Stream<float> f3, Stream<float> f4, Stream<float> f5,
         Stream<int4> v0, Stream<int4> v1, Stream<int4> v2, Stream<int4> v3, Stream<char> c, Stream<double2> d) {
  const Stream<float> f[] = {f0, f1, f2, f3, f4, f5};
  const Stream<int4> v[] = {v0, v1, v2, v3};
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 6; ++k) f[k][i] = a[i] * (k + 1);
    for (int k = 0; k < 4; ++k) v[k][i] = {k, int(a[i]), k * k, int(2 * a[i])};
    c[i] = char(a[i]);
    d[i] = {a[i], 6 * a[i]};
  }
}
