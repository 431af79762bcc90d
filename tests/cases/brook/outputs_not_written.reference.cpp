void sometimes(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    if (a[i] % 3 == 0) o[i] = a[i] * 10;
}

void components(Stream<float> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i].y = a[i];
    if (a[i] > 3) o[i] = {0.5f, a[i], o[i].z, a[i]};
  }
}

void one_of_two(Stream<int> a, Stream<int> o, Stream<short3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i] < 4)
      o[i] = a[i];
    else
      p[i] = {1, 2, 3};
  }
}

void never(Stream<int>, Stream<int>) {}
