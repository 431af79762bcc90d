void floats(Stream<float4> a, Stream<float2> b, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    float x = (a[i].x + a[i].z) * b[i].y, y = a[i].y + a[i].w, z = a[i].z * b[i].x;
    o[i] = {x, y - x, z / 2, a[i].w - x};
  }
}

void integers(Stream<int4> a, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int x = a[i].x * 8 | 1, z = a[i].z | 1, w = a[i].w * 2 % 5;
    o[i] = {x ^ z, 0, z ^ x, w};
  }
}

void doubles(Stream<double2> a, Stream<double2> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    double s = a[i].x + a[i].y;
    o[i] = {s, s * s};
  }
}
