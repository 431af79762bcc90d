void caller(Stream<int> a, Stream<int2> o) {
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) o.at(x, y) = {x - 1 + a.at(x, y), a.at(x, y)};
}
