void weighted(Stream<float> a, float weight, Stream<float> table, float *r) {
  *r = 0;
  for (unsigned i = 0; i < a.size(); ++i) *r += a[i] * weight + table[1];
}

void limited(Stream<float> a, float limit, float *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = std::fmin(std::fmax(a[i], *r), limit);
}
