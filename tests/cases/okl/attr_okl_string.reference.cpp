void marked(const int n, const int *a, int *b) {
  for (int k = 0; k < 4 * n; ++k) b[k] = a[k / 4 * 4 + 3 - k % 4] + 1;
}
