void update(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = o[i] * 100 + a[i];
}

void own_writes(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = a[i] + 5;
}
