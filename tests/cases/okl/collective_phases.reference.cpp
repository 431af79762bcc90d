#include <algorithm>
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
