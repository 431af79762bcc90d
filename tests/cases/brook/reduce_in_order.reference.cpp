void matrices(Stream<int4> a, int4 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) {
    int4 l = *r, n = a[i];
    *r = {l.x * n.x + l.y * n.z, l.x * n.y + l.y * n.w, l.z * n.x + l.w * n.z, l.z * n.y + l.w * n.w};
  }
}

void affine(Stream<uint2> a, uint2 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = {r->x * a[i].x, r->y * a[i].x + a[i].y};
}

void last(Stream<float> a, float *r) { *r = a[a.size() - 1]; }
void first(Stream<float> a, float *r) { *r = a[0]; }

void last_positive(Stream<float> a, float *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i)
    if (a[i] > 0) *r = a[i];
}
