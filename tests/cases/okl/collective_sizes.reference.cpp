#include <algorithm>

static void size(const int n, const int groups, const int *x, int *sums, float *upto) {
  for (int g = 0; g < groups; ++g) {
    int sum = 0, most = x[g * n];
    for (int i = g * n; i < g * n + n; ++i) {
      most = std::max(most, x[i]);
      upto[i] = most + sum * 0.5f;
      sum += x[i];
    }
    std::fill(sums + g * n, sums + g * n + n, sum);
  }
}

#define SIZE(N) void size_##N(const int groups, const int *x, int *sums, float *upto) { size(N, groups, x, sums, upto); }
SIZE(1) SIZE(31) SIZE(32) SIZE(33) SIZE(63) SIZE(64) SIZE(65) SIZE(128) SIZE(255) SIZE(500) SIZE(1023) SIZE(1024)

void block_sums(const int n, const float *x, float *sums) {
  for (int i = 0; i < n; ++i) sums[i / 256] = i % 256 == 0 ? x[i] : sums[i / 256] + x[i];
}
