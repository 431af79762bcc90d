void loops(Stream<float> a, Stream<uint> b, Stream<double> c, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = {int(a[i]), 0, int(2 * c[i]), 0};
    for (uint n = b[i]; n; n /= 2) ++o[i].y;
    for (int y = int(a[i]); y; y /= 2) ++o[i].w;
  }
}
