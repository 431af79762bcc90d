#include <algorithm>
#include <cmath>

static float at(Stream<float> &a, int x, int y) {
  return a.at(std::clamp(x, 0, int(a.extents[0]) - 1), std::clamp(y, 0, int(a.extents[1]) - 1));
}

void row_sums(float n, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += at(a, i, y) * (i + 1);
      o.at(x, y) = sum;
    }
}

void windows(Stream<float> a, float2 size, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
          if (x + dx >= 0 && x + dx < size.x && y + dy >= 0 && y + dy < size.y) sum += at(a, x + dx, y + dy) * (dx + 3);
      for (int z = 0; z < size.y; ++z) sum -= at(a, x, z);
      o.at(x, y) = sum;
    }
}

void diagonals(float n, Stream<float> a, Stream<float> o) {
  const int steps = std::max(0, int(std::ceil(n)));
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int i = 0; i < steps; ++i) {
        sum = 2 * sum - at(a, x + i + 2, y + i);
        sum += at(a, x + i + 1, y + i + 1);
      }
      o.at(x, y) = sum;
    }
}

void searches(float n, float key, Stream<float> a, Stream<float2> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float found = -1, steps = 0;
      for (int again = 1; again >= 0; --again) {
        for (int i = again; i < n; ++i) {
          const float value = at(a, i, y);
          if (value > key + again) {
            found = i + 1;
            break;
          }
          if (value >= 0) steps += 1;
        }
        do {
          for (int i = 0; i < 2; ++i) steps += at(a, x, i);
          steps += 1;
        } while (again > 5);
      }
      o.at(x, y) = float2{found, steps};
    }
}

void triangles(int n, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
          sum += at(a, i, j) - at(a, i, j);
          if (sum > 50)
            for (int k = 0; k < 2; ++k) sum -= at(a, i - j, k);
        }
      o.at(x, y) = sum + x;
    }
}

void changing(float n, Stream<float> a, Stream<float> o) {
  for (int y = 0; y < int(o.extents[1]); ++y)
    for (int x = 0; x < int(o.extents[0]); ++x) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += at(a, i, y);
      for (int i = 0; i < n - 1; ++i) sum -= 3 * at(a, i, y);
      for (int i = 0; i < 2; ++i) sum += at(a, i, y);
      o.at(x, y) = sum;
    }
}

void reversed(float n, Stream<float> a, Stream<float> o) {
  const int X = int(a.extents[0]), Y = int(a.extents[1]), Z = int(a.extents[2]);
  auto there = [&](int x, int y, int z) {
    return a[(std::clamp(z, 0, Z - 1) * Y + std::clamp(y, 0, Y - 1)) * X + std::clamp(x, 0, X - 1)];
  };
  for (int z = 0; z < int(o.extents[2]); ++z)
    for (int y = 0; y < int(o.extents[1]); ++y)
      for (int x = 0; x < int(o.extents[0]); ++x) {
        float sum = 0;
        for (int i = -3; i < n; ++i) sum = 3 * sum + there(-i, y, z);
        o[(z * int(o.extents[1]) + y) * int(o.extents[0]) + x] = sum + there(3 - x, y, z);
      }
}
