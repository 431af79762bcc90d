void addAll(const int n, const int by, int *a) {
  for (int i = 0; i < 3 * n; ++i) a[i] += by;
}
void multiplyAll(const int n, const int by, int *a) {
  for (int i = 0; i < 3 * n; ++i) a[i] *= by;
}
void xorAll(const int n, const int by, int *a) {
  for (int i = 0; i < 3 * n; ++i) a[i] ^= by;
}
