// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T((long long)a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<uint> a, Stream<uint> b, uint c, Stream<uint> o) {
  mad((uint *)a.data, (uint *)b.data, (uint *)&c, (uint *)o.data, o.size(), 1);
}
void mad2(Stream<uint2> a, Stream<uint2> b, uint2 c, Stream<uint2> o) {
  mad((uint *)a.data, (uint *)b.data, (uint *)&c, (uint *)o.data, o.size(), 2);
}
void mad3(Stream<uint3> a, Stream<uint3> b, uint3 c, Stream<uint3> o) {
  mad((uint *)a.data, (uint *)b.data, (uint *)&c, (uint *)o.data, o.size(), 3);
}
void mad4(Stream<uint4> a, Stream<uint4> b, uint4 c, Stream<uint4> o) {
  mad((uint *)a.data, (uint *)b.data, (uint *)&c, (uint *)o.data, o.size(), 4);
}
