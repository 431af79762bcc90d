void qualified(Stream<int4> a, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = 2 * (2 * (&a[i].x)[k] + k + 1);
}
