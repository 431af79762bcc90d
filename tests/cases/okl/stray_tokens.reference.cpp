void stray_tokens(const int n, int *a, int *c) {
  for (int i = 0; i < n; ++i) {
    a[i] = i * ((i + 1) + (i + 2)) * ((i + 3) - (i + 1));
    int sum = 0 + 1 + 2;
    if (2 * i > 4) sum += 2 * i;
    c[i] = sum + 1 + (i == 2 ? 1 : 0);
  }
}
