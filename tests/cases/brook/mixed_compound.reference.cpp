void scalars(Stream<int> n, Stream<uchar> u, Stream<int> p, Stream<int> q, Stream<uchar> v, Stream<double> d) {
  for (std::size_t i = 0; i < n.size(); ++i) {
    p[i] = (int)(n[i] * 1.5f);
    q[i] = (int)(n[i] / 0.5f);
    v[i] = (uchar)(int)(u[i] * 2.5f);
    d[i] = 0.25 + n[i];
  }
}

void vectors(Stream<int4> b, Stream<int4> r, Stream<int4> s, Stream<float4> t) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const int4 v = b[i];
    r[i] = {(int)(v.x * 1.5f), (int)(v.y * 0.5f), (int)(v.z * 2.5f), (int)(v.w * -1.5f)};
    s[i] = {v.x, (int)(v.y / 0.5f), (int)(v.z / 0.25f), v.w};
    t[i] = {1.5f - v.x, 2.5f - v.y, 3.5f - v.z, 4.5f - v.w};
  }
}

void scattered(Stream<int> n, Stream<int> o) {
  for (std::size_t i = 0; i < o.size(); ++i) o[i] = (int)(o[i] * 1.5f);
}
