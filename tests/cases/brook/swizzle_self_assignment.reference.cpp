void floats(Stream<float4> a, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i].w, a[i].w, a[i].y, a[i].x};
}

void locals(Stream<int3> a, Stream<int3> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i].y + a[i].x, a[i].y, a[i].y + a[i].z};
}

void output(Stream<uchar4> a, Stream<uchar4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i].z, a[i].w, a[i].x, a[i].y};
}
