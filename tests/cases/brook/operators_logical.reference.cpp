void scalars(Stream<int> a, Stream<int> b, Stream<int4> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {a[i] && b[i], a[i] || b[i], a[i] == 0, b[i] != 0};
}

void vectors(Stream<int4> a, Stream<int4> b, Stream<uchar3> c, Stream<int4> o, Stream<int4> p, Stream<uchar3> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      int x = (&a[i].x)[k], y = (&b[i].x)[k];
      (&o[i].x)[k] = x && y;
      (&p[i].x)[k] = (x || y) + (x == 0);
    }
    q[i] = {c[i].x == 0, c[i].y == 0, c[i].z == 0};
  }
}

void conditions(Stream<float> a, Stream<int> n, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = (a[i] > 0.5f && a[i] < 1.5f) || a[i] == -1 ? 1 : 0;
    if (!(a[i] > 0)) o[i] += 10;
    if (n[i] != 0 && n[i] != 3) o[i] += 100;
  }
}
