void phases(const int n, int *a, int *b) {
  // a is a ramp.
  for (int i = 0; i < n; ++i) b[i] = n - 1 - i;
  for (int i = 0; i < n; ++i) a[i] = n - 1 - (i + 1) % n;
  for (int i = 0; i < n; ++i) b[i] += a[n - 1 - i];
}
