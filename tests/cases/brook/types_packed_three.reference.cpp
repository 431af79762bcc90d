void rotate(Stream<float3> a, Stream<float3> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = {a[i].y, a[i].z, a[i].x};
}

void fetch(Stream<int> i, Stream<uchar3> a, Stream<uchar3> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[i[k]];
}

void reversed(Stream<short3> a, int n, Stream<short3> o) {
  for (int i = 0; i < n; ++i) o[n - 1 - i] = a[i];
}
