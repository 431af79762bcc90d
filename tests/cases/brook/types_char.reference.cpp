// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<char> a, Stream<char> b, char c, Stream<char> o) {
  mad((signed char *)a.data, (signed char *)b.data, (signed char *)&c, (signed char *)o.data, o.size(), 1);
}
void mad2(Stream<char2> a, Stream<char2> b, char2 c, Stream<char2> o) {
  mad((signed char *)a.data, (signed char *)b.data, (signed char *)&c, (signed char *)o.data, o.size(), 2);
}
void mad3(Stream<char3> a, Stream<char3> b, char3 c, Stream<char3> o) {
  mad((signed char *)a.data, (signed char *)b.data, (signed char *)&c, (signed char *)o.data, o.size(), 3);
}
void mad4(Stream<char4> a, Stream<char4> b, char4 c, Stream<char4> o) {
  mad((signed char *)a.data, (signed char *)b.data, (signed char *)&c, (signed char *)o.data, o.size(), 4);
}
