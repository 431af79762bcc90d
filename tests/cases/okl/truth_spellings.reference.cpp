#include <cstdlib>
using std::abs;
static int late(const float v) { int r = 0; r += v > 0.5f; return r; }
struct pair { int a; int b; };
static void choosePart(struct pair &p, const float v) { int &part = p.a; part = v > 0.5f; p.b = 2; }

void comma(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int s, t = 0, u = 0, v; o[i] = table[(s = x[i] > 0.5f, s)] + 8 * table[(t += k[i] > 1, t + 1)] + 64 * table[(u = x[i] > 0.2f || k[i] > 2, v = u + 1, v)];
  }
}

void assigned(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int s = 0, t = 1, u = 3; o[i] = table[s |= x[i] > 0.5f] + 8 * table[t <<= k[i] > 1] + 64 * table[(u ^= x[i] > 0.2f, u)];
  }
}

void referred(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int s = 0; int &r = s; r = x[i] > 0.5f; struct pair p; choosePart(p, x[i]); struct pair q = p; struct pair &w = q; w.b = k[i] > 1; o[i] = table[s] + 8 * table[p.a] + 64 * table[q.b];
  }
}

void pointed(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int s = 0; int *r = &s; *r = x[i] > 0.5f; int a[2] = {0, 1}; int *p = a + 1; *p = k[i] > 1; o[i] = table[s] + 8 * table[a[1]] + 64 * table[late(x[i])];
  }
}

void constants(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int one = 1, s = 0; if (x[i] > 0.5f) s = one; int t = 0; t = k[i] > 1 ? t + 1 : t; int u = 0; if (k[i] > 0) { u = u + 1; } if (k[i] > 2) { u = 2 * u + 1; } o[i] = table[s] + 8 * table[t] + 64 * table[u];
  }
}

void constantParts(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    const int q[2] = {0, 3}; struct pair p = {1, 2}; int s = x[i] > 0.5f ? q[0] : q[1]; int t = k[i] > 1 ? p.a : p.b; int zero = 0; int *z = &zero; int u = x[i] > 0.2f ? *z : abs(-2); o[i] = table[s] + 8 * table[t] + 64 * table[u];
  }
}

void nested(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    int s = x[i] > 0.5f ? (k[i] > 2 ? 2 : 1) : k[i] > 1; bool b[2] = {x[i] > 0.5f, k[i] > 2}; int t = 0; switch (k[i]) { case 1: t = 1; break; case 2: t = 3; break; default: t = 2; } o[i] = table[s] + 8 * table[b[0]] + 64 * table[b[1] + 2] + 512 * table[t];
  }
}

void stored(const int n, const float *x, const int *k, const float *table, int *kept, float *o) {
  for (int i = 0; i < n; ++i) {
    kept[i] = x[i] > 0.5f; int c = kept[i] + 1; o[i] = table[kept[i]] + 8 * table[c];
  }
}
