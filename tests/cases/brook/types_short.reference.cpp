// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<short> a, Stream<short> b, short c, Stream<short> o) {
  mad((short *)a.data, (short *)b.data, (short *)&c, (short *)o.data, o.size(), 1);
}
void mad2(Stream<short2> a, Stream<short2> b, short2 c, Stream<short2> o) {
  mad((short *)a.data, (short *)b.data, (short *)&c, (short *)o.data, o.size(), 2);
}
void mad3(Stream<short3> a, Stream<short3> b, short3 c, Stream<short3> o) {
  mad((short *)a.data, (short *)b.data, (short *)&c, (short *)o.data, o.size(), 3);
}
void mad4(Stream<short4> a, Stream<short4> b, short4 c, Stream<short4> o) {
  mad((short *)a.data, (short *)b.data, (short *)&c, (short *)o.data, o.size(), 4);
}
