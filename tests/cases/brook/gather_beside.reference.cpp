#include <algorithm>
#include <cstdint>

template <class T> static T fetch(Stream<T> a, int64_t x, int64_t y = 0, int64_t z = 0) {
  auto in = [&](int64_t v, int d) { return std::clamp<int64_t>(v, 0, int64_t(a.extents[d]) - 1); };
  return a.at(in(x, 0), in(y, 1), in(z, 2));
}

void line(Stream<int> a, Stream<int> b, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x - 2) + 3 * fetch(a, x + 1) + 5 * fetch(a, x - 1) + 7 * fetch(b, x + 5) + 11 * fetch(b, x + 3);
}

void far(Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x + 2147483647ll) * 3 + fetch(a, x - 2147483647) * 5 + fetch(a, x + 100) * 7 +
           fetch(a, x + 4) * 11;
}

void plane(Stream<int> a, Stream<int> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x)
      o.at(x, y) = fetch(a, x, y - 1) + 3 * fetch(a, x, y + 1) + 5 * fetch(a, x - 1, y) + 7 * fetch(a, x + 1, y) +
                   11 * fetch(a, x + 3, y * 2 - 3);
}

void solid(Stream<int> a, Stream<int> o) {
  for (int z = 0; z < int(o.extents[2]); ++z)
    for (int y = 0; y < int(o.extents[1]); ++y)
      for (int x = 0; x < int(o.extents[0]); ++x)
        o.at(x, y, z) = fetch(a, x - 1, y, z) + 3 * fetch(a, x + 1, y, z) + 5 * fetch(a, x, y + 1, z - 1) +
                        7 * fetch(a, x - 2, z, 1);
}

void rows(Stream<int> a, Stream<int> b, Stream<int> which, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x + 1, which[x]) + 3 * fetch(a, x - 1, x) + 5 * fetch(b, which[x]) + 7 * fetch(b, x + fetch(b, x - 1));
}

void sometimes(Stream<int> a, Stream<int> b, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x) {
    o[x] = 1;
    if (fetch(a, x) > 2)
      o[x] += fetch(b, fetch(a, x + 1)) + fetch(b, x - 1);
    else if (x > 4)
      o[x] = x > 9 ? fetch(a, x - 3) : fetch(b, x + 3);
  }
}

void changed(Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, 2 * x + 1) + 3 * fetch(a, x) + 5 * fetch(a, x - 1) + 7 * fetch(a, x + 5);
}

void passed(Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, 2 * x + 1) + 3 * fetch(a, 2 * x - 1) + 5 * fetch(a, x + 1);
}

void shadowed(Stream<int> a, Stream<int> i, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x - 1) + 3 * fetch(a, i[x] + 1) + 5 * fetch(a, x + 1) + 7 * fetch(a, x);
}

void others(Stream<int> a, Stream<int> b, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x) {
    const unsigned u = x;
    // One bracket rounds, several truncate.
    o[x] = fetch(a, u - 1u) + 3 * fetch(a, u - 2u) + 5 * fetch(a, x - 1) + 7 * fetch(a, x + 1) +
           11 * fetch(b, u + 1u, x + 1) + 13 * fetch(a, x + 1) + 17 * fetch(a, x);
  }
}

void helped(Stream<int> a, Stream<int> o) {
  for (int x = 0; x < int(o.size()); ++x)
    o[x] = fetch(a, x + 1) + 3 * fetch(a, x + 2) + 5 * fetch(a, x - 1) + 7 * fetch(a, x + 1);
}

void vectors(Stream<float3> a, Stream<float3> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      const float3 left = fetch(a, x - 1, y), below = fetch(a, x, y + 1), right = fetch(a, x + 1, y);
      o.at(x, y) = {left.x + below.x * 3 + right.z, left.y + below.y * 3 + right.y, left.z + below.z * 3 + right.x};
    }
}
