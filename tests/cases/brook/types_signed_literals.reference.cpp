void signs(Stream<int> x, Stream<uint> y, Stream<float> z, Stream<int4> o, Stream<int4> p, Stream<uint2> q, Stream<float2> r) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const long long v = x[i];
    const auto wrapped = [](long long n) { return (int)(unsigned)(unsigned long long)n; };
    o[i] = {wrapped(v - 31), wrapped(v * -255), wrapped(v - 14), wrapped(v - 30)};
    p[i] = {-255, wrapped(-2147483647ll - v), v == 0 ? 0 : wrapped(-2147483648ll / v), (int)(-2147483648ll % 7)};
    q[i] = {y[i] - 14u, y[i] * 255u};
    r[i] = {z[i] * -10.0f, z[i] - 2.5f};
  }
}
