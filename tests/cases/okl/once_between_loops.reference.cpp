void groups(const int n, const int m, int *a, int *o) {
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < 4; ++k) o[(i * m + j) * 4 + k] += 10 * j + k;
    if (i > 1) a[i] += 100;
    else a[i] += 1000;
  }
}

void items(const int n, const int m, int *a, int *o) {
  for (int g = 0; g < n; ++g) {
    for (int j = 0; j < 5; ++j) {
      const int place = 5 * g + j;
      a[place] += 11;
      for (int k = 0; k < m; ++k) o[place * m + k] += k;
    }
  }
}

void tiles(const int n, const int m, int *a, int *o) {
  for (int i = 0; i < n; ++i) {
    a[i] += 3;
    for (int j = 0; j < m; ++j) o[i * m + j] += i + j;
  }
}

void siblings(const int n, const int m, int *a, int *o) {
  for (int i = 0; i < n * m * 2; ++i)
    for (int k = 0; k < 4; ++k) o[i * 4 + k] += 1 + k;
  for (int i = 0; i < n * 3; ++i)
    for (int k = 0; k < 2; ++k) a[i * 2 + k] += 7 + k;
}

void depths(const int n, const int m, int *a, int *o) {
  for (int i = 0; i < n * 3 * m; ++i)
    for (int l = 0; l < 2; ++l) o[i * 2 + l] += 1 + l;
  for (int i = 0; i < n * 3; ++i)
    for (int k = 0; k < 2; ++k) a[i * 2 + k] += 5 + k;
}
