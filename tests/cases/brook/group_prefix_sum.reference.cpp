void prefix(Stream<int4> a, Stream<int4> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = a[i];
    if (i % 16) o[i] = {a[i].x + o[i - 1].x, a[i].y + o[i - 1].y, a[i].z + o[i - 1].z, a[i].w + o[i - 1].w};
  }
}
