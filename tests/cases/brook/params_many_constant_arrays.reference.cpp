void poly(Stream<int> a, Stream<int> k0, Stream<int> k1, Stream<int> k2, Stream<int> k3, Stream<int> k4, Stream<int> k5, Stream<int> k6, Stream<int> k7, Stream<int> k8, Stream<int> k9, Stream<int> k10, Stream<int> k11, Stream<int> k12, Stream<int> k13,
          Stream<int> o) {
  const Stream<int> all[] = {k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13};
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = 0;
    for (int j = 0; j < 14; ++j) o[i] = o[i] * 2 + all[j][j % 3] * a[i] + all[j][0];
  }
}
