void sum(Stream<float> a, Stream<float> b, Stream<float> o) {
  auto of = [&](Stream<float> s, unsigned x, unsigned y, unsigned z) {
    return s.at(x * s.extents[0] / o.extents[0], y * s.extents[1] / o.extents[1], z * s.extents[2] / o.extents[2]);
  };
  for (unsigned z = 0; z < o.extents[2]; ++z)
    for (unsigned y = 0; y < o.extents[1]; ++y)
      for (unsigned x = 0; x < o.extents[0]; ++x) o.at(x, y, z) = of(a, x, y, z) * 100 + of(b, x, y, z);
}
