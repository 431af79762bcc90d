void forms(Stream<float2> a, Stream<float4> o, Stream<float2> p) {
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 5; ++x) {
      o.at(x, y) = {float(x), float(y), float(x), float(y)};
      p.at(x, y) = {y * 10 + a.at(x, y).x, x + a.at(x, y).y};
    }
}

void scattered(Stream<float> a, float2, Stream<float> o) {
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 5; ++x) o.at(4 - x, 2 - y) = a.at(x, y) + x;
}

void in_loops(Stream<float>, Stream<float> o) {
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x) o.at(x, y) = x * y + x * (x - 1.0f) / 2;
}
