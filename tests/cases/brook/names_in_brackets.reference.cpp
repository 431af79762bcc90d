void floats(Stream<float> a, Stream<float> b, Stream<float> c, Stream<float4> o, Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i], z = c[i];
    o[i] = {x + y * z, x - y, x * y, x * y + z};
    p[i] = {x + z * (y - x), x * x - y * y, std::fabs(x * x), x * y - x + z};
    if (x - y > 0.0f && x * y > 0.0f) p[i].x += x * -z;
  }
}

void integers(Stream<int> a, Stream<int> b, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = a[i], y = b[i];
    int m = x & y;
    o[i] = {x + m, x & y, (x * y) & x, (x + y) * (-x + y)};
    for (int n = y & 3; n > 0; n--) m = m - n * x;
    p[i] = {m, x ? y : x, x * y > y ? x * y : y, (x & y) - x};
  }
}

void casts(Stream<int> x, Stream<int4> v, Stream<float4> o, Stream<uint4> p, Stream<float2> q) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const int s = x[i];
    const int4 t = v[i];
    const float f = (float)s, u = (float)(unsigned)s;
    o[i] = {t.x + f + t.x * u, t.y + f + t.y * u, t.z + f + t.z * u, t.w + f + t.w * u};
    p[i] = {(unsigned)-128, (unsigned)(unsigned char)s, (unsigned)(short)-s, (unsigned)(signed char)(unsigned char)(s + 200)};
    const float both = (float)(s + t.x);
    q[i] = {(float)t.x + (float)t.w + both - f * f, (float)t.z + (float)t.y + both - (float)t.w};
  }
}

void vectors(Stream<float> a, Stream<float> b, Stream<float2> o, Stream<float> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i];
    o[i] = {x + y * y - x - x, x + y * y - x * 2 - y};
    float q = x + 2 * y * y + y * y + (x > y ? x : y) - y;
    if (x > 1) q += y * -3;
    p[i] = -q - y;
  }
}
