void scalars(Stream<int> a, Stream<int> b, Stream<uint> c, Stream<uint> d, Stream<int4> o, Stream<uint4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {a[i] & b[i], a[i] | b[i], a[i] ^ b[i], -1 - a[i]};
    p[i] = {c[i] & d[i], c[i] | d[i], c[i] ^ d[i], UINT32_MAX - c[i]};
  }
}

void vectors(Stream<int4> a, Stream<int4> b, Stream<uint3> c, Stream<uint3> d, Stream<int4> o, Stream<uint3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = (&a[i].x)[k] ^ (&b[i].x)[k];
    p[i] = {(c[i].x ^ d[i].x) & d[i].y, (c[i].y ^ d[i].y) & d[i].z, (c[i].z ^ d[i].z) | 1};
  }
}
