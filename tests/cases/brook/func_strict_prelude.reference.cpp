void defined(Stream<float4> a, Stream<float4> b, Stream<float4> o, Stream<float4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      float x = (&a[i].x)[k], y = (&b[i].x)[k], z = (&b[i].x)[3 - k];
      (&o[i].x)[k] = (x - std::floor(x)) * std::floor(y + 0.5f) - std::fmod(x, y) / std::sqrt(std::fabs(y));
      float low = std::fmin(x, y), high = std::fmax(z, x);
      (&p[i].x)[k] = std::fmin(std::fmax(x, low), high) + float((x - y > 0) - (x - y < 0)) * std::floor(x * y);
    }
}
