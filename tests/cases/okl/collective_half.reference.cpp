#include <algorithm>
#include <cmath>
#include <vector>

// Small multiples of a quarter: their sums are exact in half.
static void results(const int n, const float *x, float *out) {
  for (int g = 0; g < 2; ++g) {
    std::vector<float> in(x + g * n, x + g * n + n);
    for (float &value : in) value = value / 4 - 1;
    float *mine = out + g * n, sum = 0, least = INFINITY, most = -INFINITY;
    bool all = true, any = false;
    for (int i = 0; i < n; ++i) {
      mine[12 * n + i] = sum;
      mine[14 * n + i] = least;
      mine[16 * n + i] = most;
      sum += in[i];
      least = std::min(least, in[i]);
      most = std::max(most, in[i]);
      all = all && in[i] != 0;
      any = any || in[i] < 0;
      mine[6 * n + i] = sum;
      mine[8 * n + i] = least;
      mine[10 * n + i] = most;
    }
    for (int i = 0; i < n; ++i) {
      mine[i] = sum;
      mine[2 * n + i] = least;
      mine[4 * n + i] = most;
      mine[18 * n + i] = in[n / 2];
      mine[20 * n + i] = all * 2 + any;
    }
  }
}

void in_halves(const float *x, float *out) { results(77, x, out); }
void in_a_warp(const float *x, float *out) { results(20, x, out); }
