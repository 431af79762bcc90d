// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<ushort> a, Stream<ushort> b, ushort c, Stream<ushort> o) {
  mad((ushort *)a.data, (ushort *)b.data, (ushort *)&c, (ushort *)o.data, o.size(), 1);
}
void mad2(Stream<ushort2> a, Stream<ushort2> b, ushort2 c, Stream<ushort2> o) {
  mad((ushort *)a.data, (ushort *)b.data, (ushort *)&c, (ushort *)o.data, o.size(), 2);
}
void mad3(Stream<ushort3> a, Stream<ushort3> b, ushort3 c, Stream<ushort3> o) {
  mad((ushort *)a.data, (ushort *)b.data, (ushort *)&c, (ushort *)o.data, o.size(), 3);
}
void mad4(Stream<ushort4> a, Stream<ushort4> b, ushort4 c, Stream<ushort4> o) {
  mad((ushort *)a.data, (ushort *)b.data, (ushort *)&c, (ushort *)o.data, o.size(), 4);
}
