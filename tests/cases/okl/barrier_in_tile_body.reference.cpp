void tiles(const int n, int *a, int *b) {
  for (int i = 0; i < n; ++i) b[i] = 3 * a[i];
  for (int i = 0; i < n; ++i) {
    const int first = i / 8 * 8, last = first + 8 < n ? first + 8 : n;
    a[i] = b[first + last - 1 - i];
  }
}
