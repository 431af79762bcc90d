#include <algorithm>
#include <string>

void four(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    const float *from = &a[i].x;
    float *sum = &o[i].x;
    std::fill(sum, sum + 4, 0.0f);
    int order[4] = {0, 1, 2, 3}, n = 0;
    do {
      float v[4];
      for (int k = 0; k < 4; ++k) v[order[k]] = from[k];
      const int factor[4] = {n + 1, 2 * n + 1, 3 * n + 1, 5 * n + 2};
      for (int k = 0; k < 4; ++k) sum[k] += v[k] * factor[k];
      ++n;
    } while (std::next_permutation(order, order + 4));
  }
}

void three(Stream<int3> a, Stream<int3> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    const int *from = &a[i].x;
    int *sum = &o[i].x;
    std::fill(sum, sum + 3, 0);
    int order[3] = {0, 1, 2}, n = 0;
    do {
      int v[3];
      for (int k = 0; k < 3; ++k) v[order[k]] = from[k];
      const int factor[3] = {n + 1, 2 * n + 1, 3 * n + 1};
      for (int k = 0; k < 3; ++k) sum[k] += v[k] * factor[k];
      ++n;
    } while (std::next_permutation(order, order + 3));
  }
}

// The pairs (p, q), p != q, in the order of the alphabet.
void two(Stream<short4> a, Stream<short4> o) {
  int pairs[12][2], count = 0;
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q)
      if (p != q) pairs[count][0] = p, pairs[count++][1] = q;
  for (unsigned i = 0; i < o.size(); ++i) {
    short v[4] = {a[i].x, a[i].y, a[i].z, a[i].w}, *sum = &o[i].x;
    o[i] = a[i];
    for (int n = 0; n < 12; ++n) {
      const int *from = pairs[(n * 5 + 3) % 12];
      for (int k = 0; k < 2; ++k) v[pairs[n][k]] = (&a[i].x)[from[k]];
      const int factor[4] = {n + 1, 2 * n + 1, 3 * n + 1, 5 * n + 2};
      for (int k = 0; k < 4; ++k) sum[k] = short(sum[k] + short(v[k] * factor[k]));
    }
  }
}
