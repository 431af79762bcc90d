void across(const int n, int *a) {
  for (int i = 0; i < n; ++i) a[4 * i + 1] += 5;
}
