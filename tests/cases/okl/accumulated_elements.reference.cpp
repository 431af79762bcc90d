template <class T> static void product(const int n, const T *a, const T *b, T *c) {
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      T sum = 1;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * 64 + j];
      c[i * 64 + j] = sum;
    }
}
void product_float(const int n, const float *a, const float *b, float *c) { product(n, a, b, c); }
void product_double(const int n, const double *a, const double *b, double *c) { product(n, a, b, c); }
void product_int(const int n, const int *a, const int *b, int *c) { product(n, a, b, c); }

void others(const float *a, const float *b, float *o) {
  for (int g = 0; g < 2; ++g)
    for (int x = 0; x < 16; ++x) {
      float r[3][2][2];
      int count[4];
      for (int i = 0; i < 12; ++i) r[i / 4][i / 2 % 2][i % 2] = a[i * 16 + x];
      for (int i = 0; i < 4; ++i) count[i] = i;
      for (int k = 2; k < 6; ++k)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 2; ++j) r[i][1][j] -= 0.5f * b[g + k * 16 + x] + b[x + 3] * (i - j) + k;
      for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 4; ++i) count[i] *= k + i + x;
      for (int i = 0; i < 12; ++i) o[(g * 16 + i) * 16 + x] = r[i / 4][i / 2 % 2][i % 2];
      for (int i = 0; i < 4; ++i) o[(g * 16 + 12 + i) * 16 + x] = count[i] % 1000;
    }
}

void kept(const int n, const float *a, int *o) {
  for (int g = 0; g < 2; ++g)
    for (int x = 0; x < 16; ++x) {
      int r[4], t[4][4], s[64];
      for (int m = 0; m < 4; ++m) {
        r[m] = m;
        for (int l = 0; l < 4; ++l) t[m][l] = m * l;
      }
      for (int m = 0; m < 64; ++m) s[m] = (m * 7 + n) % 11;
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 4; ++m) r[m] += r[(m + 1) % 4] % 100 + s[k];
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 4; ++m) t[k][m] += s[m] * k;
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 4; ++m)
          for (int l = 0; l < 4; ++l) t[m][0] = t[m][0] * 3 % 1000 + s[l + k];
      for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 4; ++m) r[m] += s[2 + g + k] + (2 + g) * 10 + x;
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 4; ++m) r[m] += m < 2 ? s[m + k] : s[m];
      for (int k = 0; k < 4; ++k) {
        const int first = r[1];
        for (int m = 0; m < 4; ++m) r[m] += first % 50 + k;
      }
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 4; ++m) r[m] = (int)(r[m] + a[k * 16 + x] * 1.75f);
      for (int m = 0; m < 4; ++m) {
        o[(g * 20 + m) * 16 + x] = r[m];
        for (int l = 0; l < 4; ++l) o[(g * 20 + 4 + m * 4 + l) * 16 + x] = t[m][l];
      }
    }
}

void copied(const int *a, int *o) {
  for (int g = 0; g < 3; ++g) {
    int *to = o + g * 4 * 600;
    for (int i = 0; i < 384; ++i) to[i % 8 * 48 + i / 8] = a[i + g];
    for (int i = 0; i < 512; ++i) {
      const int j = i + 64;
      to[600 + i] = a[j / 64 * 3 + j % 64];
      to[1200 + i] = a[j];
    }
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 32; ++x) to[1800 + y * 32 + 31 - x] = a[x + 5 + y];
  }
}

void meant(const int *a, int *o) {
  for (int g = 0; g < 2; ++g)
    for (int x = 0; x < 16; ++x)
      for (int i = 0; i < 4; ++i) {
        int r = i < 2 ? 104 : 100;
        for (int k = 0; k < 4; ++k) {
          r += (a[k] + 300) % 256 + a[k + i] + 16 + a[k + i];
          if (i < 2) r += a[k + i] * 2;
        }
        o[(g * 4 + i) * 16 + x] = r + x;
      }
}
