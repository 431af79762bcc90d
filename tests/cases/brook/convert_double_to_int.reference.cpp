static int to_i(double v) { return v != v ? 0 : v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : int(v); }
static uint to_u(double v) { return v != v || v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : uint(v); }

void convert(Stream<double> a, Stream<int> o, Stream<uint> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = to_i(a[i]);
    p[i] = to_u(a[i]);
  }
}

void pairs(Stream<double2> a, Stream<int2> o, Stream<char2> c) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {to_i(a[i].x), to_i(a[i].y)};
    c[i] = {char(o[i].x), char(o[i].y)};
  }
}
