struct Four {
  double v[4];
};
struct Longs {
  long v[4];
};

void wide(Four a, int n, Four b, char c, Longs d, double *o) {
  for (int i = 0; i < n; ++i) {
    o[i] = c * d.v[3];
    for (int k = 0; k < 4; ++k) o[i] += (k + 1) * (a.v[k] * b.v[k] + i * a.v[k]);
  }
}
