void lookup(Stream<int> a, Stream<int> line, Stream<int> table, Stream<int> o) {
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x)
      o.at(x, y) = a.at(x * a.extents[0] / o.extents[0], y * a.extents[1] / o.extents[1]) * 10000 + line[2] * 100 +
                   table.at(2, 1);
}
