void scalars(Stream<uint> a, Stream<uchar> b, Stream<ushort> c, Stream<uint> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] + b[i] + c[i];
}

void vectors(Stream<uint4> a, Stream<uchar4> b, Stream<ushort4> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = ushort((&a[i].x)[k] + (&b[i].x)[k]);
}

void pairs(Stream<ushort2> a, Stream<uchar3> b, Stream<uint2> o, Stream<uchar3> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {a[i].x, a[i].y};
    for (int k = 0; k < 3; ++k) (&p[i].x)[k] = uchar(2 * (&b[i].x)[k]);
  }
}
