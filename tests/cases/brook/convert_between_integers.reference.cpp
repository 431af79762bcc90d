void narrowing(Stream<int> a, Stream<char4> c, Stream<short4> s) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int low = a[i] & 255, half = a[i] & 65535;
    int byte = low < 128 ? low : low - 256, word = half < 32768 ? half : half - 65536;
    c[i] = {char(byte), char(byte), char(byte), char(byte)};
    s[i] = {short(word), short(word), short(byte), short(low)};
  }
}

void widening(Stream<signed char> a, Stream<uchar> b, Stream<short> c, Stream<ushort> d, Stream<int4> o,
              Stream<uint4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i], b[i], c[i], d[i]};
    p[i] = {uint(a[i]), b[i], uint(c[i]), d[i]};
  }
}

void sideways(Stream<signed char> a, Stream<short> b, Stream<int> c, Stream<uchar> x, Stream<ushort> y,
              Stream<uint> z, Stream<int> w) {
  for (unsigned i = 0; i < a.size(); ++i) {
    x[i] = uchar(a[i]);
    y[i] = ushort(b[i]);
    z[i] = uint(c[i]);
    w[i] = int(z[i] >> 1);
  }
}

void vectors(Stream<short4> a, Stream<uchar4> o, Stream<int4> p, Stream<uint4> q) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      short v = (&a[i].x)[k];
      (&o[i].x)[k] = uchar(v);
      (&p[i].x)[k] = v & 255;
      (&q[i].x)[k] = uint(int(v));
    }
}
