// Per component; narrow integers keep their low bits.
template <class T> static void mad(const T *a, const T *b, const T *c, T *o, std::size_t n, int width) {
  for (std::size_t i = 0; i < n * width; ++i) {
    T product = T(a[i] * b[i]);
    o[i] = T(product + c[i % width]);
  }
}
void mad1(Stream<float> a, Stream<float> b, float c, Stream<float> o) {
  mad((float *)a.data, (float *)b.data, (float *)&c, (float *)o.data, o.size(), 1);
}
void mad2(Stream<float2> a, Stream<float2> b, float2 c, Stream<float2> o) {
  mad((float *)a.data, (float *)b.data, (float *)&c, (float *)o.data, o.size(), 2);
}
void mad3(Stream<float3> a, Stream<float3> b, float3 c, Stream<float3> o) {
  mad((float *)a.data, (float *)b.data, (float *)&c, (float *)o.data, o.size(), 3);
}
void mad4(Stream<float4> a, Stream<float4> b, float4 c, Stream<float4> o) {
  mad((float *)a.data, (float *)b.data, (float *)&c, (float *)o.data, o.size(), 4);
}
