void integers(Stream<int> a, Stream<int4> o, Stream<uint4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {127 + a[i], 15 + a[i], INT32_MAX, INT32_MIN};
    p[i] = {UINT32_MAX, UINT32_MAX, 1u << 31, 7};
  }
}

void reals(Stream<float> a, Stream<float4> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {1 + a[i], 0.5f + a[i], 1000 + a[i], 0.025f + a[i]};
    p[i] = {0.1 * 3.0, -1e300};
  }
}

void narrow(Stream<char4> c, Stream<ushort2> u) {
  for (unsigned i = 0; i < c.size(); ++i) {
    c[i] = {(char)-128, 127, 65, (char)-1};
    u[i] = {65535, 1};
  }
}
