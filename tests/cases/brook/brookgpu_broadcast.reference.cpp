void operands(Stream<float4> a, Stream<float> s, Stream<float4> o, Stream<float3> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = (&a[i].x)[k] * s[i] + 1;
    p[i] = {-s[i], -s[i], s[i]};
  }
}

void functions(Stream<float4> a, Stream<float> s, Stream<float4> o, Stream<float4> p, Stream<float4> q) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      float v = (&a[i].x)[k];
      (&o[i].x)[k] = std::fmod(v, 3.0f);
      (&p[i].x)[k] = std::fmin(std::fmax(v, 0.0f), s[i]);
      (&q[i].x)[k] = std::fmax(s[i], v) + std::fmin(v, 5.0f) + v;
    }
}
