struct Pair {
  int a;
  float b;
};
struct Outer {
  Pair inner;
  int c;
};
void scalars(const int n, const float *f, const int *k, float *o) {
  for (int i = 0; i < n; ++i) {
    const float whole = k[i] + k[i] + (int) f[i] + (2 * k[i] - 1) + n + k[(i + 1) % n] + 4 * i;
    o[i] = 4.5f * f[i] + 3 + whole;
  }
}
void pointers(const int n, const float *f, const Pair *p, float *o) {
  for (int i = 0; i < n; ++i) o[i] = 4 * f[i] + 2 * p[i].b + p[i].a + 1 + f[1] + f[0] + f[1];
}
void vectors(const int n, const float *f, const int *k, float *o) {
  for (int i = 0; i < n; ++i) {
    o[2 * i] = 6 * f[2 * i] + f[(i + 1) % n * 2] + 1 + k[4 * i] + k[4 * i + 2];
    o[2 * i + 1] = 6 * f[2 * i + 1] + f[(i + 1) % n * 2 + 1] + 2;
  }
}
void structures(const int n, const Pair *p, const Outer *q, Pair *o, Outer *oo) {
  for (int i = 0; i < n; ++i) {
    o[i].a = 5 * p[i].a + 1 + 3 + (int) p[i].b + 2 * q[i].inner.a;
    o[i].b = 5 * p[i].b + 2.5f + 4 + p[i].a + 2 * q[i].inner.b;
    oo[i] = q[i];
    oo[i].c += q[i].c + 3 + 1 + q[i].inner.a;
  }
}
