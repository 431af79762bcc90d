#include <algorithm>
#include <utility>

struct Moments {
  float sum, square;
  int hits[2];
  void note(float v) {
    sum += v;
    square += v * v;
    hits[v < 0 ? 1 : 0] += 1;
  }
  float total() const { return sum + square + 10 * hits[0] + 100 * hits[1]; }
};

void spaces(int n, float *a, const float *in, Moments *moments, float *out) {
  for (int g = 0; g < n; ++g) {
    float s[8], mine[4];
    float *const row = a + 8 * g;
    for (int i = 0; i < 4; ++i) {
      const float v = in[4 * g + i];
      s[i] = 2 * v;
      s[4 + i] = v;
      std::swap(row[i], row[4 + i]);
      mine[i] = v + 1.75f;
      s[i] += 3 * mine[i];
      row[i] += 3 * s[4 + i];
    }
    Moments both{};
    for (int k = 0; k < 4; ++k) both.note(in[4 * g + k] - 0.5f);
    moments[g].note(-1);
    moments[g].note(float(n));
    for (int i = 0; i < 4; ++i) {
      Moments own = moments[g];
      own.note(mine[i]);
      const float corner = 2 + s[i] + 2 + 4;
      const float trace = s[i] + (corner + s[7 - i]) + corner;
      const float top = *std::max_element(row, row + 8);
      out[4 * g + i] = own.total() + both.total() + trace + in[4 * g + i] * 3 * 2 + 0.5f * i * top + i * n * corner + 2;
    }
  }
}
