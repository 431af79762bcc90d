void by_int(Stream<int> place, Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[place[i]] = a[i];
}

void by_float(Stream<float> place, Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[unsigned(std::floor(place[i] + 0.25f))] = a[i];
}

void reversed(Stream<int4> a, int n, Stream<int4> o) {
  for (int i = 0; i < n; ++i) o[n - 1 - i] = {a[i].w, a[i].z, a[i].y, a[i].x};
}
