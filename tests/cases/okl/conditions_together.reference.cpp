void planes(const int n, const int m, const int k, const int *x, int *y) {
  for (int c = 0; c < k; ++c)
    for (int b = 0; b < m; ++b)
      for (int a = 1; a < n - 1; ++a) {
        const int i = (c * m + b) * n + a;
        y[i] = x[i - 1] + 10 * x[i + 1];
      }
}

void sameNames(const int n, const int *, int *y) {
  for (int g = 0; g < 3; ++g) {
    for (int j = 0; j < 4; ++j) y[100 + 4 * g + j] = j;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 5; ++k) y[20 * g + 5 * i + k] = k + 100 * i;
  }
}

void boundsInMemory(const int groups, const int *begins, int *y) {
  for (int r = 0; r < groups; ++r)
    for (int e = begins[r]; e < begins[r + 1]; ++e) y[e] = r;
}

void otherwise(const int n, int *y) {
  for (int o = 0; o < 4; ++o)
    if (o % 2 == 0) {
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < n; ++i) y[o * 50 + j * 10 + i] = o + j;
    } else {
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 10; ++i) y[o * 50 + j * 10 + i] = -o;
    }
}
