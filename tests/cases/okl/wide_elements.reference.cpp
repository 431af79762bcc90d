void triad(const int n, const float s, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

void guarded(const int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + (2 * x[i] > 40 ? 1 : i);
}

void someOfThem(const int n, const int *x, int *y) {
  for (int i = 1; i < n / 32 * 32; i += 3) y[i] += x[i];
}

void inPlace(const int n, double *x, char *small) {
  for (int i = 0; i < n; ++i) {
    x[i] = x[i] * 2.0 - 1.0;
    small[i] = (char)(small[i] + 3);
  }
}

void bytes(const int n, const unsigned char *x, unsigned char *y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] ^ 85;
}

void mixed(const int n, const float *f, const short *s, double *d) {
  for (int i = 0; i < n; ++i) d[i] = f[i] + s[i];
}

void shifted(const int n, const int from, const int to, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i + to] = x[i + from] + 0.5f;
}

void neighbours(const int n, const float *x, float *y) {
  for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i + 1];
}

void rows(const int m, const int n, const float *by, float *x) {
  for (int r = 0; r < 2 * m; ++r)
    for (int k = 0; k < n; ++k) x[r * n + k] = x[r * n + k] * by[r / 2] + by[0];
}

void sameArray(const int n, float *a, float *b) {
  for (int i = 0; i < n; ++i) {
    a[i] = 2.0f * i;
    b[i] = a[i] + b[i];
  }
}

void functions(const int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    if (i != 7) y[i] = x[i] * x[i] + (x[i] > 3.0f ? 1.0f : 0.0f);
}

void odd(const int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i) y[i] = 3 * x[i];
}
void sixOf(const int n, const int *x, int *y) { odd(n, x, y); }

void short_one(const int n, const int m, const int *x, int *y) {
  for (int i = 0; i < n; ++i) {
    y[i] = -1;
    if (i < m) y[i] = x[i];
  }
}
void short_two(const int n, const int m, const int *x, int *y) {
  for (int i = 0; i < n; ++i) {
    y[i] = -2;
    if (i < m) y[i] = x[i];
  }
}

void reversed(const int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i) y[n - 1 - i] = x[i];
}
void everySecond(const int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i) y[i] = x[i + i];
}
