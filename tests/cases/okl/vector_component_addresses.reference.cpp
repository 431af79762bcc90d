#include <cstring>
#include <utility>

// A particle is a float4, an int2 and 8 bytes of padding.
void components(int n, float *points, float *particles, float *pairs, int *sums, float *out) {
  for (int g = 0; g < n; ++g) {
    float s[4][2], one[4];
    float *const particle = particles + 8 * g;
    for (int i = 0; i < 4; ++i) {
      float *const p = points + 4 * (4 * g + i);
      s[i][0] = float(g);
      s[i][1] = i + 0.5f;
      p[3] += 3;
      std::swap(p[0], p[2]);
    }
    for (int c = 0; c < 4; ++c) one[c] = points[4 * (4 * g + 2) + c];
    one[2] += 1, particle[2] += 1;
    one[3] += 2, particle[3] += 2;
    s[2][1] += 4, pairs[2 * (4 * g + 1) + 1] += 4;
    s[2][0] += 8, pairs[2 * (4 * g + 1)] += 8;
    sums[4 * g + 2] += 4;
    for (int i = 0; i < 4; ++i) {
      float own[4];
      for (int c = 0; c < 4; ++c) own[c] = points[4 * (4 * g + i) + c];
      own[1] += 1;
      own[0] += 10;
      std::swap(own[2], own[3]);
      std::swap(own[2], pairs[2 * (4 * g + i) + 1]);
      int cell[2];
      std::memcpy(cell, particle + 4, sizeof cell);
      cell[1] += cell[0]++;
      out[4 * g + i] = own[0] + 2 * own[1] + 4 * own[2] + 8 * own[3] + cell[0] + cell[1] + 2 * (s[i][0] + one[3] + particle[2]);
    }
  }
}
