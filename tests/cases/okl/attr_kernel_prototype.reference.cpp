void first(const int n, int *a) {
  for (int i = 0; i < n; ++i) a[i] = a[i] / 2;
}
void second(const int n, int *a) {
  for (int g = 0; g < n; ++g) a[2 * g + 1] += 100;
}
