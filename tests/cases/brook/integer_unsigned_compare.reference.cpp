void compared(Stream<uint> a, Stream<uint> b, Stream<uint4> o, Stream<uint2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i] < b[i], a[i] <= b[i], a[i] > b[i], a[i] >= b[i]};
    p[i] = {a[i] == b[i], a[i] != b[i]};
  }
}

void vectors(Stream<uint4> a, Stream<uint4> b, Stream<uint4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      uint x = (&a[i].x)[k], y = (&b[i].x)[k];
      (&o[i].x)[k] = (x < y ? 10 * (k + 1) : 0) + (x == y ? 1 : 0);
    }
}
