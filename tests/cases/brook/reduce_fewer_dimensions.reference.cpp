void sum(Stream<float> a, Stream<float> r) {
  std::size_t width = a.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] = 0;
    for (std::size_t k = 0; k < width; ++k) r[i] += a[i * width + k];
  }
}

void affine(Stream<uint2> a, Stream<uint2> r) {
  std::size_t width = a.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    uint2 f = a[i * width];
    for (std::size_t k = 1; k < width; ++k) {
      uint2 n = a[i * width + k];
      f = {f.x * n.x, f.y * n.x + n.y};
    }
    r[i] = f;
  }
}
