template <class T> static T saturated(double v, double low, double high) {
  return v != v ? 0 : v <= low ? T(low) : v >= high ? T(high) : T(std::trunc(v));
}
static int to_i(double v) { return saturated<int>(v, INT32_MIN, INT32_MAX); }
static uint to_u(double v) { return saturated<uint>(v, 0, UINT32_MAX); }

void to_int(Stream<float> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = to_i(a[i]);
}

void to_uint(Stream<float> a, Stream<uint> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = to_u(a[i]);
}

void vectors(Stream<float4> a, Stream<int4> o, Stream<uint4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      (&o[i].x)[k] = to_i((&a[i].x)[k]);
      (&p[i].x)[k] = to_u((&a[i].x)[k]);
    }
}
