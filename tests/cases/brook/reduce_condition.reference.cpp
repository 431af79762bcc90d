void above(Stream<float> a, float *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    if (a[i] > 10) *r += a[i];
}

void count(Stream<int> a, int *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r += a[i] % 3 == 0 ? 1 : a[i] < 0 ? 100 : 0;
}

void odd_product(Stream<int> a, int *r) {
  *r = 1;
  for (unsigned i = 0; i < a.size(); ++i)
    if (a[i] % 2) *r *= a[i];
}

void common(Stream<uint> a, uint *r) {
  *r = UINT32_MAX;
  for (unsigned i = 0; i < a.size(); ++i)
    if (a[i] > 255) *r &= a[i];
}
