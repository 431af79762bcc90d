void scopes(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = a[i] + 12 + 3 * a[i] + 18 + 1000 * a[i];
}
