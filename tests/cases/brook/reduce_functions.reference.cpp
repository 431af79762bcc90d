#include <algorithm>

void largest(Stream<double> a, double *r) { *r = *std::max_element(a.data, a.data + a.size()); }
void smallest(float *r, Stream<float> a) { *r = *std::min_element(a.data, a.data + a.size()); }

void total(Stream<int> a, int *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r += a[i];
}

void range(Stream<float2> a, float2 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) {
    if (a[i].x < r->x) r->x = a[i].x;
    if (a[i].y > r->y) r->y = a[i].y;
  }
}

void either(Stream<int> a, int *r) {
  *r = std::any_of(a.data, a.data + a.size(), [](int v) { return v != 0; }) && a.size() > 1;
}
