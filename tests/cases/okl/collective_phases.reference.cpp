#include <algorithm>
#include <climits>
#include <numeric>

void phases(const int rounds, const unsigned int *x, const int *y, unsigned int *a, int *b) {
  for (int g = 0; g < 2; ++g) {
    unsigned int *const mine = a + g * 90;
    std::fill(mine, mine + 90, x[47]);
    int before = 0;
    unsigned int most = 0;
    for (int i = 0; i < 77; ++i) {
      b[g * 90 + i] = before;
      before += std::accumulate(y, y + i + 1, 0);
      mine[i] = i + x[9] + most;
      most = std::max(most, x[i]);
    }
    for (int r = 0; r < rounds; ++r) {
      const bool all = std::all_of(x + r, x + r + 77, [](unsigned int v) { return v > 15; });
      for (int i = 0; i < 77; ++i) b[g * 90 + i] += all ? 10000 : 20000;
    }
  }
}

void nested_rounds(const int n, const int rounds, const int *x, int *sums, int *least) {
  for (int t = 0; t < n; t += 40) {
    const int items = std::min(40, n - t);
    const int *in = x + t;
    for (int i = 0; i < items; ++i) {
      int sum = 0;
      for (int r = 0; r < rounds; ++r) {
        for (int s = 0; s <= r; ++s) sum += std::accumulate(in, in + i + 1, 0) + (i + 1) * s;
        int most[2] = {INT_MIN, INT_MIN};
        for (int k = 0; k < items; ++k)
          for (int s = 0; s < 2; ++s) most[s] = std::max(most[s], in[k] * s + t + k);
        sum += most[0] + most[1] - 2 * items * r;
        int before = i > 0 ? *std::min_element(in, in + i) + r : INT_MAX;
        least[t + i] = std::count(in, in + items, r) > 0 ? before : -1;
      }
      for (int r = 0; r < rounds; ++r) sum -= in[3] + r;
      sums[t + i] = sum;
    }
  }
}
