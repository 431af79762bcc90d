void line(Stream<int> a, Stream<int4> o) {
  for (int i = 0; i < int(o.size()); ++i) o[i] = {i % 16, i * 100, a[i], 0};
}

void plane(Stream<int> a, Stream<int2> o) {
  for (int i = 0; i < int(o.size()); ++i) o[i] = {i % 8, a[i]};
}
