// `width` components out of `parts`, counted through with the last one fastest.
template <class T> static void all(const T *a, T *o, int parts, int width) {
  int count = 1;
  for (int k = 0; k < width; ++k) o[k] = a[0], count *= parts;
  for (int n = 0; n < count; ++n)
    for (int k = width - 1, rest = n; k >= 0; --k, rest /= parts) o[k] = 2 * o[k] + a[rest % parts];
}

void pairs(Stream<float4> a, Stream<float2> o) {
  for (unsigned i = 0; i < o.size(); ++i) all(&a[i].x, &o[i].x, 4, 2);
}

void triples(Stream<int3> a, Stream<int3> o) {
  for (unsigned i = 0; i < o.size(); ++i) all(&a[i].x, &o[i].x, 3, 3);
}

void quadruples(Stream<uint2> a, Stream<uint4> o) {
  for (unsigned i = 0; i < o.size(); ++i) all(&a[i].x, &o[i].x, 2, 4);
}
