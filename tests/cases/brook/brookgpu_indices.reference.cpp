void own(Stream<float> a, Stream<float> row, Stream<float> b) {
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 4; ++x) b.at(x, y) = a.at(x, y) * 10 + row[x];
}

void component(Stream<float4> v, Stream<float2> o) {
  for (std::size_t i = 0; i < v.size(); ++i) o[i] = {v[i].y + v[i].x * 100, v[i].w};
}
