static int quotient(long long a, long long b) { return b ? int(uint32_t(a / b)) : 0; }
static int rest(long long a, long long b) { return b ? int(a % b) : 0; }

void scalars(Stream<int> a, Stream<int> b, Stream<int2> o, Stream<uint2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    uint x = a[i], y = b[i];
    o[i] = {quotient(a[i], b[i]), rest(a[i], b[i])};
    p[i] = {y ? x / y : 0, y ? x % y : 0};
  }
}

void vectors(Stream<int4> a, Stream<int4> b, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      (&o[i].x)[k] = quotient((&a[i].x)[k], (&b[i].x)[k]);
      (&p[i].x)[k] = rest((&a[i].x)[k], (&b[i].x)[k]);
    }
}

void assigned(Stream<int> a, Stream<int> b, int zero, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = {quotient(a[i], b[i]) / 2, zero, a[i] / 7, zero};
}
