#include <algorithm>

void largest(Stream<float> a, float *r) { *r = *std::max_element(a.data, a.data + a.size()); }

void range(Stream<float2> a, float2 *r) {
  *r = a[0];
  for (unsigned i = 0; i < a.size(); ++i) {
    r->x = std::min(r->x, a[i].x);
    r->y = std::max(r->y, a[i].y);
  }
}

void cubes(Stream<int> a, int *r) {
  *r = 0;
  for (int i = 0; i < 50; ++i) *r += a[i] * a[i] * a[i];
}
