static int left(int a, uint n) { return int(uint(a) << (n & 31)); }
static int right(int a, uint n) { return a >> (n & 31); }

static void one(int a, uint n, int &o, uint &p, float &q) {
  o = left(a, n);
  p = uint(right(a, n));
  q = float(right(a, n));
  o = int(uint(o) + uint(left(a, a || n)));
  p += n >> (uint(a) & 31);
}

void vectors(Stream<int4> a, Stream<uint4> n, Stream<int4> o, Stream<uint4> p, Stream<float4> q) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      one((&a[i].x)[k], (&n[i].x)[k], (&o[i].x)[k], (&p[i].x)[k], (&q[i].x)[k]);
      (&p[i].x)[k] <<= uint((&a[i].x)[k]) & 31;
    }
}

void scalars(Stream<int> a, Stream<uint> n, Stream<int> o, Stream<uint> p, Stream<float> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    one(a[i], n[i], o[i], p[i], q[i]);
    if (right(a[i], n[i]) < 0) o[i] += 1000;
  }
}
