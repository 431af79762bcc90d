#include <algorithm>

void places(Stream<int> a, Stream<int4> o) {
  unsigned i = 0;
  for (int w = 0; w < int(o.extents[3]); ++w)
    for (int z = 0; z < int(o.extents[2]); ++z)
      for (int y = 0; y < int(o.extents[1]); ++y)
        for (int x = 0; x < int(o.extents[0]); ++x, ++i) o[i] = {x + a[i], y + a[i], z + a[i], w + a[i]};
}

void around(Stream<int> a, Stream<int> o) {
  const int width = int(o.extents[0]), height = int(o.extents[1]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      o.at(x, y) = a.at(x, y) + 3 * a.at(x, std::max(y - 1, 0)) + 5 * a.at(x, std::min(y + 1, height - 1)) +
                   7 * a.at(std::max(x - 1, 0), y) + 11 * a.at(std::min(x + 1, width - 1), y);
}
