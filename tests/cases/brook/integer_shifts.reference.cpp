static int left(int a, int n) { return int(uint(a) << (n & 31)); }
static int right(int a, int n) { return a >> (n & 31); }

void scalars(Stream<int> a, Stream<int> n, Stream<int2> o, Stream<uint2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {left(a[i], n[i]), right(a[i], n[i])};
    p[i] = {uint(a[i]) << (n[i] & 31), uint(a[i]) >> (n[i] & 31)};
  }
}

void vectors(Stream<int4> a, Stream<int4> n, Stream<uint2> b, Stream<uint2> m, Stream<int4> o, Stream<int4> p,
             Stream<uint2> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      (&o[i].x)[k] = left((&a[i].x)[k], (&n[i].x)[k]);
      (&p[i].x)[k] = right((&a[i].x)[k], (&n[i].x)[k]);
    }
    q[i] = {(b[i].x << (m[i].x & 31)) ^ (b[i].x >> (m[i].x & 31)), (b[i].y << (m[i].y & 31)) ^ (b[i].y >> (m[i].y & 31))};
  }
}

void constants(Stream<int> a, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {left(a[i], 31) >> 4, a[i], left(a[i], 8), left(a[i], 1)};
}
