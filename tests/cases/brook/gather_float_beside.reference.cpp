#include <cmath>
#include <cstdint>

// In the form of a vector, or alone in one dimension, an index is floor(v + 0.25).
static int64_t near(double v) { return int64_t(std::floor(v + 0.25)); }

template <class T> static T fetch(Stream<T> a, int64_t x, int64_t y = 0, int64_t z = 0) {
  auto in = [&](int64_t v, int d) { return v < 0 ? 0 : v >= int64_t(a.extents[d]) ? int64_t(a.extents[d]) - 1 : v; };
  return a.at(in(x, 0), in(y, 1), in(z, 2));
}

void line(Stream<float> a, Stream<float> b, Stream<float> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x - 2) + 3 * fetch(a, x + 1) + 5 * fetch(b, x + 3) + 7 * fetch(b, x) + 11 * fetch(a, x + 1);
}

void plane(float step, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x)
      o.at(x, y) = fetch(a, x, y) + 3 * fetch(a, x + 1, y) + 5 * fetch(a, x - 1, y - 2) + 7 * fetch(a, x, near(step)) +
                   11 * fetch(a, near(step), y) + 13 * fetch(a, x - 1, y + 1) + 17 * fetch(a, x + 3, y);
}

void halves(float step, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x)
      o.at(x, y) = fetch(a, x, near(y + 0.75)) + 3 * fetch(a, x, int(y + 0.75)) +
                   5 * fetch(a, near(x + 0.5), near(y - 0.5)) + 7 * fetch(a, x + 1, near(step * 0.5f));
}

void mirrored(Stream<float> a, Stream<float> o) {
  for (int x = 0; x < int(o.size()); ++x) o[x] = fetch(a, 9 - x) + 3 * fetch(a, 4 - x) + 5 * fetch(a, 7 - x);
}

void solid(Stream<float> a, Stream<float> o) {
  for (int z = 0; z < int(o.extents[2]); ++z)
    for (int y = 0; y < int(o.extents[1]); ++y)
      for (int x = 0; x < int(o.extents[0]); ++x)
        o.at(x, y, z) = fetch(a, x, y, z) + 3 * fetch(a, x + 2, z, y) + 5 * fetch(a, x - 1, y - 1, z + 1);
}

void others(Stream<float> a, Stream<float> i, Stream<float> o) {
  for (int x = 0; x < int(o.size()); ++x) {
    int64_t wrapped = x == 0 ? int64_t(1) << 32 : x;
    int64_t saturated = x == 0 ? 1 : x;
    o[x] = fetch(a, x + 1) + 3 * fetch(a, i[x] > 3 ? x + 1 : x) + 5 * fetch(a, 2 * x) + 7 * fetch(a, wrapped) +
           11 * fetch(a, near(x + i[x])) + 13 * fetch(a, saturated);
  }
}

void sometimes(float step, Stream<float> a, Stream<float> b, Stream<float> o, Stream<float> q) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float direct = fetch(a, x, y), detour = fetch(a, near(step), y) + fetch(a, x, near(step));
      o.at(x, y) = detour < direct ? detour : direct;
      q.at(x, y) = detour < direct ? step : fetch(b, x, y);
    }
}
