void from_int(Stream<int> a, Stream<float> o, Stream<double> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = float(a[i]);
    p[i] = double(a[i]);
  }
}

void from_uint(Stream<uint> a, Stream<float> o, Stream<double> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = float(a[i]);
    p[i] = double(a[i]);
  }
}

void from_narrow(Stream<signed char> a, Stream<ushort> b, Stream<float2> o, Stream<double2> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {float(a[i]), float(b[i])};
    p[i] = {double(a[i]), double(b[i])};
  }
}
