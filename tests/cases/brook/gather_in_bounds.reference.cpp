#include <algorithm>

static int inside(int at, unsigned extent) { return std::clamp(at, 0, int(extent) - 1); }

void shifted(Stream<int> a, int by, Stream<int> o) {
  for (int x = 0; x < int(o.extents[0]); ++x) o[x] = a[inside(x + by, a.extents[0])];
}

void bounded(Stream<int> a, int4 size, Stream<int> o) {
  const int X = int(o.extents[0]), Y = int(o.extents[1]), Z = int(o.extents[2]);
  auto at = [&](int x, int y, int z) {
    return a[(inside(z, a.extents[2]) * a.extents[1] + inside(y, a.extents[1])) * a.extents[0] + inside(x, a.extents[0])];
  };
  for (int z = 0; z < Z; ++z)
    for (int y = 0; y < Y; ++y)
      for (int x = 0; x < X; ++x) {
        int left = std::max(x - 1, 0), right = std::min(x + 1, size.x - 1);
        o[(z * Y + y) * X + x] = 2 * at(left, y, z) - at(right, y, z) + 3 * at(x, std::max(y - 1, 0), z) -
                                 5 * at(x, y, z >= size.z - 1 ? z : z + 1);
      }
}

void within(Stream<float> a, Stream<float> b, float2 size, Stream<float> o) {
  auto at = [](Stream<float> &s, int x, int y) { return s.at(inside(x, s.extents[0]), inside(y, s.extents[1])); };
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float value = at(a, x, y);
      if (x > 0 && y > 0 && x + 1 < size.x && y < size.y - 1)
        value = at(b, x - 1, y - 1) - 2 * at(b, x + 1, y) + at(b, x, y + 1);
      else if (x == 0)
        value += at(b, 0, int(size.y) - 1);
      o.at(x, y) = value;
    }
}

void product(float width, Stream<float> a, Stream<float> b, Stream<float> c) {
  for (int y = 0; y < int(c.extents[1]); ++y)
    for (int x = 0; x < int(c.extents[0]); ++x) {
      float sum = 0;
      for (int k = 0; k < width; ++k)
        sum += a.at(inside(k, a.extents[0]), inside(y, a.extents[1])) * b.at(inside(x, b.extents[0]), inside(k, b.extents[1]));
      c.at(x, y) = sum;
    }
}

void windows(Stream<uchar> a, int r, int n, Stream<int> o) {
  for (int x = 0; x < int(o.extents[0]); ++x) {
    int sum = 0;
    for (int i = -r; i <= r; ++i) {
      if (x + i >= 0 && x + i < n) sum += (i + r + 1) * a[inside(x + i, a.extents[0])];
      if (r == 2 && x != n - 1) sum += a[inside(x + 1, a.extents[0])];
      sum += 7 * a[inside(n - 1 - (i + r), a.extents[0])];
    }
    o[x] = sum;
  }
}

void columns(Stream<double2> a, int n, Stream<double> o) {
  for (int x = 0; x < int(o.extents[0]); ++x) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      double2 v = a.at(inside(j, a.extents[0]), inside(x, a.extents[1]));
      sum += v.x - (j + 1) * v.y;
    }
    o[x] = sum;
  }
}
