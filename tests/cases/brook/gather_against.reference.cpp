#include <algorithm>
#include <cmath>
#include <cstdint>

template <class T> static T fetch(Stream<T> a, int64_t x, int64_t y = 0) {
  auto in = [&](int64_t v, int d) { return std::clamp<int64_t>(v, 0, int64_t(a.extents[d]) - 1); };
  return a.at(in(x, 0), in(y, 1));
}

void mirror(int n, Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x) o[x] = fetch(a, n - 1 - x);
}

void shifted(int s, Stream<int> a, Stream<int> b, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x + s) + 3 * fetch(a, x - s) + 5 * fetch(a, x + s - 2) + 7 * fetch(b, s - x) +
           11 * fetch(b, s + 1 - x) + 13 * fetch(b, s - x);
}

void plane(int s, unsigned u, Stream<int> a, Stream<int> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x)
      o.at(x, y) = fetch(a, s - 1 - x, y) + 3 * fetch(a, s - 2 - x, y + 1) + 5 * fetch(a, x + 1, s - y) +
                   7 * fetch(a, int64_t(x) + u, y);
}

void others(int s, int t, Stream<int> a, Stream<int> b, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, s + t - x) + 3 * fetch(a, t - s * x) + 5 * fetch(a, s * t - x) + 7 * fetch(a, b[0] - x) +
           11 * fetch(a, s - (t - x));
}

void hidden(int s, int t, Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, s - x) + 3 * fetch(a, s - x) + 5 * fetch(a, 4 + x) + 7 * fetch(a, 4 - x) +
           13 * fetch(a, s - x + 2) + 11 * fetch(a, t + 2 - x);
}

void floats(float f, signed char c, Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, int64_t(std::trunc(f - x))) + 3 * fetch(a, c - x) + 5 * fetch(a, x + c) +
           7 * fetch(a, int64_t(std::trunc(x - f)));
}

void helped(int s, Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, s - x) + 3 * fetch(a, s + 2 - x) + 5 * fetch(a, s - 3 - x);
}
