void allTypes(const int n, double *sums, int *sizes) {
  const int bytes = 2 * (1 + 2 + 4 + 8) + 4 + 8;
  for (int k = 0; k < n; ++k) {
    sums[k] = 10 * (k + 2 + k + 2 + 3 + 3 + 2 + k + k + 1);
    sizes[k] = bytes * (2 + 400 + 40000);
  }
}
