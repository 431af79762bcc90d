static int left(int a, int n) { return int(uint(a) << (n & 31)); }
static int right(int a, int n) { return a >> (n & 31); }
static int quotient(long long a, long long b) { return b ? int(uint32_t(a / b)) : 0; }
static int rest(long long a, long long b) { return b ? int(a % b) : 0; }

void whole(Stream<int4> a, Stream<int4> b, Stream<int4> o, Stream<int4> p, Stream<int4> q, Stream<int4> r) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) {
    int x = (&a.data->x)[i], y = (&b.data->x)[i];
    (&o.data->x)[i] = left(x, y);
    (&p.data->x)[i] = right(x, y);
    (&q.data->x)[i] = quotient(x, y);
    (&r.data->x)[i] = rest(x, y);
  }
}

void single(Stream<int4> a, Stream<int> b, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {left(a[i].x, b[i]), right(a[i].y, b[i]), quotient(a[i].z, b[i]), rest(a[i].w, b[i])};
}

void narrow(Stream<char4> a, Stream<char4> b, Stream<char4> o, Stream<char4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      int x = (signed char)(&a[i].x)[k], y = (signed char)(&b[i].x)[k];
      (&o[i].x)[k] = char(quotient(x, y));
      (&p[i].x)[k] = k == 1 ? char(rest((signed char)(x * y), y)) : char(x * y);
    }
}
