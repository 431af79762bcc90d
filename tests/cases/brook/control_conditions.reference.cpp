void floats(Stream<float> a, Stream<double> b, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = (a[i] != 0 ? 1 : 0) + (b[i] != 0 ? 10 : 0) + (std::isfinite(a[i]) ? 0 : 100);
}

void integers(Stream<char> a, Stream<uint> b, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = (a[i] ? 1 : 2) + (b[i] ? (a[i] ? 10 : 20) : (a[i] ? 30 : 40));
}

void loops(Stream<float> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = int(a[i]);
}
