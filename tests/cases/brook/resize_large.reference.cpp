void copy(Stream<int> a, Stream<int> o) {
  for (std::uint64_t y = 0; y < o.extents[1]; ++y)
    for (std::uint64_t x = 0; x < o.extents[0]; ++x)
      o.at(x, y) = a.at(x * a.extents[0] / o.extents[0], y * a.extents[1] / o.extents[1]);
}
