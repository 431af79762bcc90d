void rows(Stream<float> t, int width, Stream<float> sum, Stream<float> top) {
  for (unsigned y = 0; y < sum.size(); ++y) {
    sum[y] = 0;
    top[y] = t.at(0, y);
    for (int x = 0; x < width; ++x) {
      sum[y] += t.at(x, y);
      top[y] = std::fmax(top[y], t.at(x, y));
    }
  }
}

void larger(Stream<float> a, float *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i) *r = std::fmax(*r, a[i]);
}
