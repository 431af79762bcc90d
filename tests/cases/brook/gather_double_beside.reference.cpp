#include <cstdint>

template <class T> static T fetch(Stream<T> a, int64_t x, int64_t y = 0, int64_t z = 0) {
  auto in = [&](int64_t v, int d) { return v < 0 ? 0 : v >= int64_t(a.extents[d]) ? int64_t(a.extents[d]) - 1 : v; };
  return a.at(in(x, 0), in(y, 1), in(z, 2));
}

void doubles(Stream<double> a, Stream<double> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) o.at(x, y) = fetch(a, x, y) + 3 * fetch(a, x - 1, y + 1);
}
