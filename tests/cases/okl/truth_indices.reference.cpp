static int above(const float v) { return v > 0.5f; }
static int first(const float v) {
  if (v > 0.5f) return 1;
  return 0;
}
static float pick(const float *t, const int s) { return t[s]; }
static void choose(const float v, int &s) { s = v > 0.5f; }

void declared(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = x[i] > 0.5f;
    out[i] = table[s];
  }
}

void narrow(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    unsigned char s = x[i] > 0.5f; signed char t = k[i] == 2; short u = !(x[i] > 0.2f);
    out[i] = table[s] + table[t + 2] + table[u * 4 + 1];
  }
}

void cast(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    bool b = x[i] > 0.5f; bool c = k[i];
    out[i] = table[b] + table[(int)c] + table[!c + 3];
  }
}

void conditional(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = x[i] > 0.5f ? 1 : 0; int t = x[i] > 0.5f ? 0 : 1; int u = 0; if (k[i] < 0) u = 1;
    out[i] = table[s] + 8 * table[t] + 64 * table[u];
  }
}

void branches(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s; if (x[i] > 0.5f) s = 0; else s = 1; int t; switch (k[i]) { case 3: t = 1; break; default: t = 0; }
    out[i] = table[s] + 8 * table[t];
  }
}

void combined(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = (x[i] > 0.5f) & (x[i] < 0.8f); int t = (k[i] > 1) ^ (x[i] > 0.2f); int u = (k[i] != 1) % 1001;
    out[i] = table[s] + 8 * table[t] + 64 * table[u];
  }
}

void bits(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = (k[i] & 4) != 0; int t = k[i] < 0; int u = !!k[i];
    out[i] = table[s] + 8 * table[t] + 64 * table[u];
  }
}

void called(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s; choose(x[i], s);
    out[i] = table[s] + 8 * pick(table, x[i] > 0.5f) + 64 * table[above(x[i])] + 512 * table[first(x[i])];
  }
}

void pointed(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = x[i] > 0.5f; const float *p = table + s; const float *q = table; q += k[i] > 1;
    out[i] = *p + 8 * *(table + !s) + 64 * q[0];
  }
}

void kept(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int t[2]; t[0] = x[i] > 0.5f; t[1] = 2; struct { int a; int b; } p; p.a = k[i] > 1; p.b = 0;
    out[i] = table[t[0] + t[1]] + 8 * table[p.a + p.b];
  }
}

void rows(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    const float rows[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 1}, {2, 3, 4, 5}};
    int s = x[i] > 0.5f;
    out[i] = rows[s][2] + 8 * rows[2][s] + 64 * rows[s][!s];
  }
}

void counted(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    int s = 0; while (s < 1 && x[i] > 0.5f) s++; int t = 0; if (k[i] > 0) t += 1; if (k[i] > 1) t += 1;
    out[i] = table[s] + 8 * table[t];
  }
}

void shared(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    const int side = x[i] > 0.5f ? 1 : 0;
    out[i] = table[side] + 16 * 8;
  }
}

void guarded(const int n, const float *x, const int *k, const float *table, float *out) {
  for (int i = 0; i < n; ++i) {
    const int from = 2 * (k[i] & 3);
    out[i] = table[0] * table[from] + table[1] * table[from + 1] + 64 * table[x[i] > 0.5f ? 2 : 0];
  }
}
