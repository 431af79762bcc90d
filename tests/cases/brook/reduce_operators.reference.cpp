template <class T, class F> static void fold(Stream<T> a, T *r, F f) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = f(*r, a[i]);
}

void products(Stream<int> a, int *r) { fold(a, r, [](int x, int y) { return x * y; }); }
void ors(Stream<int> a, int *r) { fold(a, r, [](int x, int y) { return x | y; }); }
void xors(Stream<uint> a, uint *r) { fold(a, r, [](uint x, uint y) { return x ^ y; }); }
void ands(Stream<uint> a, uint *r) { fold(a, r, [](uint x, uint y) { return x & y; }); }
void float_products(Stream<float> a, float *r) { fold(a, r, [](float x, float y) { return x * y; }); }
