#include <algorithm>

static void inside(const int side, const float *__restrict__ image, float *__restrict__ blurred) {
  const long n = (long) side * side;
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i) blurred[i] = image[i];
}

static void clamped_index(const int n, const int *__restrict__ where, const float *__restrict__ data,
                          float *__restrict__ out) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i) out[i] = data[where[i]];
}

// Processors may be faster without their instructions that gather.
__attribute__((optimize("no-tree-vectorize")))
static void clamped_index_scalar(const int n, const int *__restrict__ where,
                                 const float *__restrict__ data, float *__restrict__ out) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) out[i] = data[where[i]];
}

static void clamped_mirror(const int n, const float *__restrict__ data, float *__restrict__ out) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i) out[i] = data[n - 1 - i];
}

static void border(const int side, const float *__restrict__ image, float *__restrict__ blurred) {
#pragma omp parallel for
  for (long y = 0; y < side; ++y) {
    const float *__restrict__ row = image + y * side;
    const float *__restrict__ above = image + std::max(y - 1, 0l) * side;
    const float *__restrict__ below = image + std::min(y + 1, side - 1l) * side;
    float *__restrict__ to = blurred + y * side;
    const long last = side - 1;
    auto mean = [&](long x, long left, long right) {
      to[x] = 0.2f * (row[x] + row[left] + row[right] + above[x] + below[x]);
    };
    mean(0, 0, std::min(1l, last));
#pragma omp simd
    for (long x = 1; x < last; ++x) mean(x, x - 1, x + 1);
    mean(last, std::max(last - 1, 0l), last);
  }
}

static void bounded(const int edge, const float *__restrict__ volume, float *__restrict__ next) {
#pragma omp parallel for collapse(2)
  for (long z = 0; z < edge; ++z)
    for (long y = 0; y < edge; ++y) {
      const long last = edge - 1;
      const auto row = [&](long z, long y) {
        return volume + (std::clamp(z, 0l, last) * edge + std::clamp(y, 0l, last)) * edge;
      };
      const float *__restrict__ own = row(z, y);
      const float *__restrict__ front = row(z, y - 1);
      const float *__restrict__ back = row(z, y + 1);
      const float *__restrict__ below = row(z - 1, y);
      const float *__restrict__ above = row(z + 1, y);
      float *__restrict__ to = next + (z * edge + y) * edge;
      auto point = [&](long x, long left, long right) {
        to[x] = 0.4f * own[x] + 0.1f * (own[left] + own[right] + front[x] + back[x] + below[x] + above[x]);
      };
      point(0, 0, std::min(1l, last));
#pragma omp simd
      for (long x = 1; x < last; ++x) point(x, x - 1, x + 1);
      point(last, std::max(last - 1, 0l), last);
    }
}

LAUNCHER(inside_same, inside)
LAUNCHER(clamped_index_same, clamped_index)
LAUNCHER(clamped_index_scalar, clamped_index_scalar)
LAUNCHER(clamped_mirror_same, clamped_mirror)
LAUNCHER(border_same, border)
LAUNCHER(bounded_same, bounded)
