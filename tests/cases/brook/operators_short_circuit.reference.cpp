void counted(Stream<int> a, Stream<int> b, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {a[i] && b[i], a[i] ? 2 : 1, a[i] || b[i], a[i] ? 1 : 2};
}
