void pair(Stream<float> a, Stream<float> b, Stream<float> o) {
  auto resized = [&](Stream<float> s, const unsigned *at) {
    unsigned in[4];
    for (int d = 0; d < 4; ++d) in[d] = at[d] * s.extents[d] / o.extents[d];
    return s.at(in[0], in[1], in[2], in[3]);
  };
  unsigned i = 0, at[4];
  for (at[3] = 0; at[3] < o.extents[3]; ++at[3])
    for (at[2] = 0; at[2] < o.extents[2]; ++at[2])
      for (at[1] = 0; at[1] < o.extents[1]; ++at[1])
        for (at[0] = 0; at[0] < o.extents[0]; ++at[0]) o[i++] = resized(a, at) * 4096 + resized(b, at);
}
