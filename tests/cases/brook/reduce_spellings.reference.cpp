#include <algorithm>

void sum(Stream<float> a, float *b) {
  *b = 0;
  for (unsigned i = 0; i < a.size(); ++i) *b += a[i];
}

void product(Stream<float> a, float *b) {
  *b = 1;
  for (unsigned i = 0; i < a.size(); ++i) *b *= a[i];
}

void largest(Stream<double> a, double *b) { *b = *std::max_element(a.data, a.data + a.size()); }
