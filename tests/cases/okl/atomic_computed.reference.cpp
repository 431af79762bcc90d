#include <cmath>
void computed(const int n, int *c, float *f, double *d, unsigned char *b, short *s, unsigned long *u, signed char *h) {
  for (int i = 0; i < n; ++i) {
    c[0] = (c[0] + 1) % 7;
    c[1] = c[1] < 9 ? c[1] + 1 : 0;
    c[2] = c[2] + 1 < 5 ? c[2] + 1 : 0;
    c[3] = c[3] % 100;
    if (i < 9) c[4] *= 2;
    if (i < 5) c[5] /= 2;
    c[6] = -c[6];
    c[7] += 2 * i;
    if (i < 6) c[8] *= 2;
    if (c[9] < i) c[9] = i;
    if (c[9] < 3 * i - 40) c[9] = 3 * i - 40;
    c[10] = ~c[10];
    c[11] = c[11] ? 0 : 1;
    c[12] += 1, c[13] += i, c[14] += 1;
    if (s[3] < i) s[3] = (short) i;
    if (s[3] < 7) s[3] = 7;
    if (i < 4) f[0] /= 2;
    f[1] += 1 + i;
    if (i < 3) f[2] *= f[2];
    f[3] += 2;
    d[0] += 0.5 * i;
    if (d[1] > 100) d[1] -= 100;
    d[1] += 7;
    b[i % 5] = (unsigned char) (b[i % 5] * 3 + 1);
    s[i % 3] = (short) (1 - s[i % 3]);
    h[i % 3] = (signed char) (h[i % 3] ^ 5 ^ (i & 1));
    u[0] = u[0] * 2862933555777941757ul + 3037000493ul;
  }
}
template <class T> static void least(T &x, T v) {
  if (v < x) x = v;
}
template <class T> static void most(T &x, T v) {
  if (x < v) x = v;
}
template <class T> static void all(const int n, const int *v, T *x) {
  for (int i = 0; i < n; ++i) {
    const T t = (T) v[i];
    for (int k = 0; k < 4; ++k) least(x[k], t), most(x[4 + k], t);
    least(x[8], (T) (2 * v[i]));
    most(x[9], (T) (v[(i + 1) % n] + 2 * v[i]));
    most(x[10], t);
  }
}
void extremes(const int n, const int *v, signed char *c, unsigned char *b, short *s, unsigned short *t, int *k,
              unsigned int *u, long *l, unsigned long *m, float *f, double *d) {
  all(n, v, c), all(n, v, b), all(n, v, s), all(n, v, t), all(n, v, k);
  all(n, v, u), all(n, v, l), all(n, v, m), all(n, v, f), all(n, v, d);
}
void once(const int n, int *x, int *own) {
  for (int i = 0; i < n; ++i) {
    if (x[0] < i) x[0] = i;
    if (x[1] > -(i + 1)) x[1] = -(i + 1);
    x[2] += i + 2;
    x[3] += i + 4;
    own[i] = i + 4;
  }
}
