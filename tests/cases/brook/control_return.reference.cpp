void classify(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = a[i] > 0 ? 1 : a[i] == 0 ? 2 : 3;
}

void first_above(Stream<float> v, float limit, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = -1;
    for (int k = 3; k >= 0; --k)
      if (v.at(k, i) > limit) o[i] = k;
  }
}
