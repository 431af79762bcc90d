// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T(a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<double> a, Stream<double> b, double c, Stream<double> o) {
  mad((double *)a.data, (double *)b.data, (double *)&c, (double *)o.data, o.size(), 1);
}
void mad2(Stream<double2> a, Stream<double2> b, double2 c, Stream<double2> o) {
  mad((double *)a.data, (double *)b.data, (double *)&c, (double *)o.data, o.size(), 2);
}
