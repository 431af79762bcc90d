void bytes(Stream<uchar4> a, uchar4 *r) {
  for (int k = 0; k < 4; ++k) {
    (&r->x)[k] = 0;
    for (unsigned i = 0; i < a.size(); ++i) (&r->x)[k] += (&a[i].x)[k];
  }
}

void triples(Stream<float3> a, float3 *r) {
  *r = {0, 0, 0};
  for (unsigned i = 0; i < a.size(); ++i) *r = {r->x + a[i].x, r->y + a[i].y, r->z + a[i].z};
}

void pairs(Stream<double2> a, double2 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = {std::fmax(r->x, a[i].x), std::fmax(r->y, a[i].y)};
}

void shorts(Stream<short3> a, Stream<short3> r) {
  for (unsigned i = 0; i < r.size(); ++i) r[i] = {0, 0, 0};
  for (unsigned y = 0; y < 6; ++y)
    for (unsigned x = 0; x < 10; ++x)
      for (int k = 0; k < 3; ++k) {
        short &to = (&r.at(x / 5, y / 2).x)[k];
        to = short(to + (&a.at(x, y).x)[k]);
      }
}

void masks(Stream<int4> a, Stream<int4> r) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      int &to = (&r[i / 4].x)[k], v = (&a[i].x)[k];
      to = i % 4 ? to ^ v : v;
    }
}
