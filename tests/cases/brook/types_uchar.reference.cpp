// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<uchar> a, Stream<uchar> b, uchar c, Stream<uchar> o) {
  mad((uchar *)a.data, (uchar *)b.data, (uchar *)&c, (uchar *)o.data, o.size(), 1);
}
void mad2(Stream<uchar2> a, Stream<uchar2> b, uchar2 c, Stream<uchar2> o) {
  mad((uchar *)a.data, (uchar *)b.data, (uchar *)&c, (uchar *)o.data, o.size(), 2);
}
void mad3(Stream<uchar3> a, Stream<uchar3> b, uchar3 c, Stream<uchar3> o) {
  mad((uchar *)a.data, (uchar *)b.data, (uchar *)&c, (uchar *)o.data, o.size(), 3);
}
void mad4(Stream<uchar4> a, Stream<uchar4> b, uchar4 c, Stream<uchar4> o) {
  mad((uchar *)a.data, (uchar *)b.data, (uchar *)&c, (uchar *)o.data, o.size(), 4);
}
