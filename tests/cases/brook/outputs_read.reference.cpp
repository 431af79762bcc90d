void accumulate(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] += a[i];
}

void swap(Stream<float2> o, Stream<int4> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {o[i].y, o[i].x};
    p[i].x = p[i].z * 10;
    p[i].y = p[i].w * 10;
  }
}

void after_write(Stream<int> a, Stream<int> o, Stream<int> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    p[i] = (a[i] + 1) * (a[i] + 1);
    o[i] = a[i] + 1 - p[i];
  }
}

void counting(Stream<int> n, Stream<uchar> o) {
  for (unsigned i = 0; i < n.size(); ++i) o[i] = uchar(o[i] + n[i]);
}
