// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<int> a, Stream<int> b, int c, Stream<int> o) {
  mad((int *)a.data, (int *)b.data, (int *)&c, (int *)o.data, o.size(), 1);
}
void mad2(Stream<int2> a, Stream<int2> b, int2 c, Stream<int2> o) {
  mad((int *)a.data, (int *)b.data, (int *)&c, (int *)o.data, o.size(), 2);
}
void mad3(Stream<int3> a, Stream<int3> b, int3 c, Stream<int3> o) {
  mad((int *)a.data, (int *)b.data, (int *)&c, (int *)o.data, o.size(), 3);
}
void mad4(Stream<int4> a, Stream<int4> b, int4 c, Stream<int4> o) {
  mad((int *)a.data, (int *)b.data, (int *)&c, (int *)o.data, o.size(), 4);
}
