template <class T> static void sum(Stream<T> a, T *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r = T(*r + a[i]);
}

void chars(Stream<signed char> a, signed char *r) { sum(a, r); }
void uchars(Stream<uchar> a, uchar *r) { sum(a, r); }
void shorts(Stream<short> a, short *r) { sum(a, r); }
void ushorts(Stream<ushort> a, ushort *r) { sum(a, r); }
void ints(Stream<int> a, int *r) { sum(a, r); }
void uints(Stream<uint> a, uint *r) { sum(a, r); }
void floats(Stream<float> a, float *r) { sum(a, r); }
void doubles(Stream<double> a, double *r) { sum(a, r); }
