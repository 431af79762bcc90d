void vectors(Stream<float2> e, Stream<float2> u, Stream<float2> a, Stream<float2> b, Stream<float2> c, Stream<float2> d) {
  for (unsigned i = 0; i < e.size(); ++i) {
    const float ex = e[i].x, ey = e[i].y, ux = u[i].x, uy = u[i].y;
    a[i] = {(ex + ux) * ux, (ey + uy) * uy};
    b[i] = {ux * (ex + ux) * (ex - ux), uy * (ey + uy) * (ey - uy)};
    c[i] = {ux - (ex - ux), uy - (ey - uy)};
    d[i] = {(ux - ex) * ux, (uy - ey) * uy};
  }
}

void numbers(Stream<int2> e, Stream<float> x, Stream<int2> a, Stream<float> b, Stream<int> c) {
  for (unsigned i = 0; i < e.size(); ++i) {
    const int k = e[i].x;
    a[i] = {2, 3};
    b[i] = x[i] * (x[i] + 1.0f) - (x[i] - 2.0f);
    c[i] = k * (k - e[i].y) - (k - 1);
  }
}
