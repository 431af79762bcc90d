void headers(const int n, int *o) {
  for (int i = 0; i < 4 * n; ++i) o[i] += 1;
  for (int i = 0; i < n; ++i) o[i] += 10;
  for (int i = 0; i < n - 1; ++i) o[i] += 100;
  for (int i = 1; i < n; ++i) o[i] += 1000;
}
