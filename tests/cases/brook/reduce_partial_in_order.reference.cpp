template <class T, class F> static void tiles(Stream<T> a, Stream<T> r, F fold) {
  unsigned t[4];
  for (int d = 0; d < 4; ++d) t[d] = a.extents[d] / r.extents[d];
  unsigned i = 0;
  for (unsigned W = 0; W < r.extents[3]; ++W)
    for (unsigned Z = 0; Z < r.extents[2]; ++Z)
      for (unsigned Y = 0; Y < r.extents[1]; ++Y)
        for (unsigned X = 0; X < r.extents[0]; ++X, ++i) {
          bool first = true;
          for (unsigned w = 0; w < t[3]; ++w)
            for (unsigned z = 0; z < t[2]; ++z)
              for (unsigned y = 0; y < t[1]; ++y)
                for (unsigned x = 0; x < t[0]; ++x) {
                  T v = a.at(X * t[0] + x, Y * t[1] + y, Z * t[2] + z, W * t[3] + w);
                  r[i] = first ? v : fold(r[i], v);
                  first = false;
                }
        }
}

void affine(Stream<uint2> a, Stream<uint2> r) {
  tiles(a, r, [](uint2 f, uint2 n) { return uint2{f.x * n.x, f.y * n.x + n.y}; });
}

void last(Stream<int> a, Stream<int> r) {
  tiles(a, r, [](int, int n) { return n; });
}
