// Calls use(place in r, value) for each element, tile by tile in the order of memory.
template <class T, class F> static void each(Stream<T> a, Stream<T> r, F use) {
  unsigned i = 0;
  for (unsigned w = 0; w < a.extents[3]; ++w)
    for (unsigned z = 0; z < a.extents[2]; ++z)
      for (unsigned y = 0; y < a.extents[1]; ++y)
        for (unsigned x = 0; x < a.extents[0]; ++x, ++i) {
          const unsigned at[4] = {x, y, z, w};
          unsigned to[4];
          bool first = true;
          for (int d = 0; d < 4; ++d) {
            unsigned tile = a.extents[d] / r.extents[d];
            to[d] = at[d] / tile;
            first = first && at[d] % tile == 0;
          }
          use(r.at(to[0], to[1], to[2], to[3]), a[i], first);
        }
}

void sum(Stream<int> a, Stream<int> r) {
  each(a, r, [](int &to, int v, bool first) { to = first ? v : to + v; });
}

void largest(Stream<float> a, Stream<float> r) {
  each(a, r, [](float &to, float v, bool first) { to = first || v > to ? v : to; });
}

void odd_sum(Stream<int> a, Stream<int> r) {
  each(a, r, [](int &to, int v, bool first) { to = (first ? 0 : to) + (v % 2 ? v : 0); });
}
