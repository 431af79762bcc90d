void squares(Stream<int> a, int *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r += a[i] * a[i];
}

void weighted(Stream<float4> a, float4 *r) {
  *r = {0, 0, 0, 0};
  for (unsigned i = 0; i < a.size(); ++i) {
    float outer = 2 * a[i].x * a[i].w, inner = 2 * a[i].y * a[i].z;
    *r = {r->x + outer, r->y + inner, r->z + inner, r->w + outer};
  }
}

void repeated(Stream<int> a, int *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r += a[i] * (a[i] - 1) / 2 + 1000;
}
