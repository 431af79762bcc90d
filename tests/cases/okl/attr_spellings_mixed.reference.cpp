void mixed(const int n, const int *a, int *b) {
  for (int k = 0; k < 8 * n; ++k) {
    const int g = k / 8, i = k % 8;
    b[k] += 1000 + a[8 * g + 7 - i] + 7 - i;
  }
}

void mixedTile(const int n, int *b) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 3; ++i) b[j + n * i] = 10 * j + i;
}
