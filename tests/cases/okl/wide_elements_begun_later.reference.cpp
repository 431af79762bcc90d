void later(const int n, float *o) {
  for (int i = 0; i < n; ++i) o[i] = 1;
}
void moved(const int n, const float *a, float *o) {
  for (int i = 0; i < n; ++i) o[i + 4] = a[i + 4];
}
void inside(const int n, int *o, int *p) {
  for (int i = 0; i < n; ++i) {
    o[i] = 3;
    p[i] = 4;
  }
}
void divided(const int n, float *o) {
  for (int i = 0; i < n; ++i) o[i] = 100 / (n - i);
}
void wideGroups(const long n, short *o) {
  for (long i = 0; i < 16 * n; ++i) o[i] = i / 16 + i % 16;
}
