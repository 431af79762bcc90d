void sensible(const int n, int *a) {
  for (int i = 0; i < n; ++i) a[i] += 1;
}
