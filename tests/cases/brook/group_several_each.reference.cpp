void transpose(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    for (unsigned k = 0; k < 4; ++k) {
      unsigned n = i % 8 + 8 * k;
      (&o[i].x)[k] = (&a[i / 8 * 8 + n / 4].x)[n % 4];
    }
}
