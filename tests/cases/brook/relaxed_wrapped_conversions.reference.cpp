static int wrapped(long v) { return (int)(unsigned)(unsigned long)v; }
static short narrow(long v) { return (short)(unsigned short)(unsigned long)v; }

void sums(Stream<short3> a, Stream<int2> b, Stream<uchar4> c, Stream<int4> o, Stream<short3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int from[4] = {b[i].x, b[i].y, b[i].x, b[i].x};
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = wrapped(long(a[i].x) - from[k] - (&c[i].x)[k]);
    const short by[3] = {a[i].y, a[i].x, a[i].x};
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = narrow(narrow(long((&a[i].x)[k]) * by[k]) - 127);
  }
}

void shifts(Stream<char3> a, Stream<short3> b, Stream<char3> o, Stream<int2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const signed char by = (signed char)-(signed char)(&b[i].x)[k];
      (&o[i].x)[k] = (signed char)((unsigned)(&a[i].x)[k] << (by & 31));
    }
    for (int k = 0; k < 2; ++k) {
      const short v = (&b[i].x)[k];
      (&p[i].x)[k] = narrow(long(narrow(-v)) * narrow(v + v));
    }
  }
}
