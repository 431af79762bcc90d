void scalar(Stream<float> a, Stream<float> b, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    o[i] = !(a[i] < b[i]) ? 3 : b[i] > 0.5f ? 1 : 2;
}

void vector(Stream<float4> a, Stream<float4> b, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i)
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = std::fmin((&a[i].x)[k], (&b[i].x)[k]);
}
