#include <algorithm>
#include <functional>
#include <numeric>

void warp_sums(const float *x, float *sums) {
  for (int w = 0; w < 6; ++w)
    std::fill(sums + 32 * w, sums + 32 * w + 32, std::accumulate(x + 32 * w, x + 32 * w + 32, 0.0f));
}

void neighbours(const int *x, int *left, long *right, double *across) {
  for (int i = 0; i < 128; ++i) {
    const int lane = i % 32;
    left[i] = x[lane < 3 ? i : i - 3];
    right[i] = x[lane == 31 ? i : i + 1] * 1000000007l;
    across[i] = x[i - lane + (lane ^ 5)] * 0.5 + x[i - lane + (lane ^ 16)];
  }
}

void sorted(const int *x, int *y) {
  std::copy(x, x + 32, y);
  std::sort(y, y + 32, std::greater<int>());
}

void half_of_them(const int *x, int *a, int *b) {
  for (int i = 0; i < 64; ++i) a[i] = x[i / 32 * 32 + 7];
  for (int i = 0; i < 32; ++i) {
    const int from = i == 0 ? 0 : i - 1;
    b[i] = 2 * (x[from] + x[from + 32]) + i;
  }
}
