#include <cmath>

void reductionWithSharedMemory(const int entries, const float *vec, float *blockSum) {
  for (int i = 0; i < entries; ++i) blockSum[i / 64] += vec[i];
}

void two_stages(const int tiles, const double *x, double *y) {
  for (int g = 0; g < 2; ++g)
    for (int i = 0; i < 16; ++i)
      for (int t = 0; t < tiles; ++t) {
        const double *pair = x + (g * tiles + t) * 32 + 2 * i;
        y[g * 16 + i] += pair[0] - 3 * pair[1];
      }
}

void powers(const int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i] = std::pow(10.0, double(x[i])) + std::pow(10.0, i % 3);
}
