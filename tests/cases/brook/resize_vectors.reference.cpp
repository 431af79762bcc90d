template <class T, class O> static T of(Stream<T> s, Stream<O> o, unsigned x, unsigned y) {
  return s.at(x * s.extents[0] / o.extents[0], y * s.extents[1] / o.extents[1]);
}

void mixed(Stream<float3> a, Stream<uchar4> b, Stream<double2> c, Stream<short> d, Stream<float3> o,
           Stream<uchar4> p, Stream<double2> q, Stream<short> r) {
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x) {
      uchar4 v = of(b, o, x, y);
      o.at(x, y) = of(a, o, x, y);
      p.at(x, y) = {v.w, v.z, v.y, v.x};
      q.at(x, y) = of(c, o, x, y);
      r.at(x, y) = of(d, o, x, y);
    }
}
