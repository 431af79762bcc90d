void splats(Stream<float> s, Stream<int> n, Stream<float4> o, Stream<float3> p, Stream<int2> q, Stream<uchar4> r) {
  for (unsigned i = 0; i < s.size(); ++i) {
    float f = float(n[i]);
    int t = int(2 * s[i]);
    uchar b = uchar(n[i]);
    o[i] = {s[i], s[i], s[i], s[i]};
    p[i] = {f, f, f};
    q[i] = {t, t};
    r[i] = {b, b, b, b};
  }
}
