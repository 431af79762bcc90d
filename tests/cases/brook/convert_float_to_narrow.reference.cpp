static int to_i(float v) { return v != v ? 0 : v < -2147483648.0f ? INT32_MIN : v >= 2147483648.0f ? INT32_MAX : int(v); }

void convert(Stream<float> a, Stream<signed char> c, Stream<uchar> d, Stream<short> e, Stream<ushort> f) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int v = to_i(a[i]);
    c[i] = (signed char)(v & 255);
    d[i] = uchar(v & 255);
    e[i] = short(v & 65535);
    f[i] = ushort(v & 65535);
  }
}

void vectors(Stream<float4> a, Stream<uchar4> c, Stream<short4> d) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      (&c[i].x)[k] = uchar(to_i((&a[i].x)[k]));
      (&d[i].x)[k] = short(to_i((&a[i].x)[k]));
    }
}
