#include <algorithm>

void reverse(Stream<float4> a, int n, Stream<float4> o) {
  const float *from = &a.data->x;
  float *to = &o.data->x;
  for (int first = 0; first < n; first += 32) {
    int end = std::min(first + 32, n);
    std::reverse_copy(from + 4 * first, from + 4 * end, to + 4 * first);
  }
}
