void expressions(Stream<float> a, Stream<float> b, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    float x = a[i], y = b[i];
    float v[4] = {2 * x - y / 2, 2 * y - y / 4, 2 * (x + y) - y / 8, 2 - y / 16};
    float w[4] = {x, y, 0, v[0]};
    float *r = y > 0 ? v : w;
    o[i] = {r[1] + y, r[0] + 1, r[2], r[3]};
  }
}

void every(Stream<char2> c, Stream<uchar3> d, Stream<short4> e, Stream<ushort2> f, Stream<int3> g,
           Stream<uint2> h, Stream<float3> i, Stream<double2> j) {
  for (unsigned k = 0; k < c.size(); ++k) {
    c[k] = {1, (char)-2};
    d[k] = {1, 2, 255};
    e[k] = {1, -2, 300, -400};
    f[k] = {1, 60000};
    g[k] = {1, -2, 3};
    h[k] = {1, 4000000000u};
    i[k] = {1, -2, 0.5f};
    j[k] = {1, -2.5};
  }
}
