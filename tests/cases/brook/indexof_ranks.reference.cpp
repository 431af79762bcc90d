template <class T, class F> static void every(Stream<T> o, F of) {
  for (unsigned w = 0, i = 0; w < o.extents[3]; ++w)
    for (unsigned z = 0; z < o.extents[2]; ++z)
      for (unsigned y = 0; y < o.extents[1]; ++y)
        for (unsigned x = 0; x < o.extents[0]; ++x) o[i++] = of(x, y, z, w);
}

void floats(Stream<int>, Stream<float4> o) {
  every(o, [](unsigned x, unsigned y, unsigned z, unsigned w) { return float4{float(x), float(y), float(z), float(w)}; });
}

void ints(Stream<int>, Stream<int4> o) {
  every(o, [](unsigned x, unsigned y, unsigned z, unsigned w) { return int4{int(x), int(y), int(z), int(w)}; });
}

void linear(int2, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = i;
}
