void named(const int n, const int m, const float *a, float *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] + m + 7;
}

void placed(const int n, const int m, const float *a, float *b) {
  for (int i = 0; i < n; ++i) b[m + i] = a[i];
}

void rows(const int n, const int m, const float *a, float *b) {
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) b[j * n + i] = a[i] + j + m;
}
