void narrow(Stream<uchar> a, Stream<short> b, Stream<uchar> o, Stream<short> p, Stream<int> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = uchar(a[i] + 5);
    p[i] = short(b[i] * 3 + 5);
    q[i] = a[i] + 200 + b[i];
  }
}

void unsigned_ints(Stream<uint> a, Stream<uint> o, Stream<uint> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = a[i] + 1u;
    p[i] = (a[i] >> 1) - 1u;
  }
}

void shifts(Stream<int4> a, Stream<int> n, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      int v = (&a[i].x)[k];
      (&o[i].x)[k] = int(uint(v) << 2);
      (&p[i].x)[k] = int(uint(v >> (n[i] & 31)) << 1);
    }
}
