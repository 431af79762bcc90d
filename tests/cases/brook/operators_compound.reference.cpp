void floats(Stream<float4> a, Stream<float4> b, Stream<float4> o) {
  const float by[4] = {2, 4, 0.5f, -1};
  for (unsigned i = 0; i < a.size(); ++i) {
    float v[4];
    for (int k = 0; k < 4; ++k) {
      float x = (&a[i].x)[k], y = (&b[i].x)[k];
      v[k] = x * x - y * y;
    }
    for (int k = 0; k < 4; ++k) (&o[i].x)[k] = (v[k] - v[3 - k]) / by[k];
  }
}

void integers(Stream<int2> a, Stream<int2> b, Stream<int2> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int x = a[i].x % b[i].x, y = a[i].y % b[i].y;
    o[i].y = y * y + 3;
    o[i].x = x * x - o[i].y;
  }
}

void precedence(Stream<int> a, Stream<int> b, Stream<int> c, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int x = a[i], y = b[i], z = c[i];
    o[i] = {(x - y) - z, x + ((y * z) % 7), ((-x) * (-y)) >> 1, ((x & y) == z) | (x ^ y)};
  }
}
