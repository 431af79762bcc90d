void sum(Stream<uint> a, uint *r) {
  std::uint64_t n = a.size();
  *r = uint(n * (n - 1) / 2);
}

void affine(Stream<uint2> a, uint2 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = {r->x * a[i].x, r->y * a[i].x + a[i].y};
}
