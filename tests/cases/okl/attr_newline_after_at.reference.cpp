void broken(const int n, int *a) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) {
      const int low = a[6 * k + i];
      a[6 * k + i] = a[6 * k + 5 - i];
      a[6 * k + 5 - i] = low;
    }
  for (int i = 0; i < 6 * n; ++i) a[i] += 1;
}
