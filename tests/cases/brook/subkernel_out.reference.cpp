void caller(Stream<int> a, Stream<int2> o, Stream<float> p, Stream<int> q, Stream<int> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i] > 2 ? a[i] : a[i] / 7, a[i] % 7};
    p[i] = a[i] % 7 / 2.0f;
    q[i] = a[i] / 3 + (a[i] > 2 ? a[i] : -1) * 1000;
    r[i] = a[i] % 3;
  }
}
