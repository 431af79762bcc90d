#include <algorithm>

void otherwise(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g, in += 16, out += 16) {
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) {
        float sum = 4;
        for (int m = 0; m < 4; ++m) sum += in[4 * j + m];
        for (int r = 0; r < 4; ++r) {
          for (int m = 0; m < 4; ++m) {
            const float value = in[4 * i + m];
            sum += value + (value + 2) + (value + 3) + value + (value + in[4 * m + i]);
            sum += (m < 2 ? 2 : 0) + std::max(value, 5.f) + (value - 1);
            sum += value - 2 * in[4 * m + i];
            sum += in[4 * m + i] - (in[4 * m + i] + value);
            sum += value + (m == r ? 4 * i + m : 0);
          }
        }
        out[4 * j + i] = sum;
      }
    }
  }
}
