void caller(Stream<int> a, Stream<int4> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    o[i] = {(a[i] + 1) * 100 + 2 * a[i] + 1 + (0 + 1 + 2 + 3), a[i], 2 * a[i], 4};
}
