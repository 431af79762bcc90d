static int low(long long v) { return int(uint32_t(v)); }

void signed_wrap(Stream<int> a, Stream<int> b, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    long long x = a[i], y = b[i];
    o[i] = {low(x + y), low(x - y), low(x * y), low(-x)};
    p[i] = {low(x + 1), low(x - 1), low((long long)((unsigned long long)(x * x) + (unsigned long long)(y * y))), low(-y - x)};
  }
}

void unsigned_wrap(Stream<uint> a, Stream<uint> b, Stream<uint4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    unsigned long long x = a[i], y = b[i];
    o[i] = {uint(x + y), uint(x - y), uint(x * y), uint(x + 1)};
  }
}
