#include <algorithm>

static float at(Stream<float> &a, int x, int y) {
  return a.at(std::clamp(x, 0, int(a.extents[0]) - 1), std::clamp(y, 0, int(a.extents[1]) - 1));
}

void sums(float n, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += at(a, i, y) * 2;
      o.at(x, y) = sum;
    }
}

void counted(float n, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += at(a, i, y);
      for (int i = 0; i < n; ++i) sum += at(a, i, y);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) sum += at(a, k, y);
      o.at(x, y) = sum;
    }
}
