void captures(const int n, int *x, int *seen, double *d) {
  for (int k = 0; k < n; ++k) ++seen[k], ++seen[100 + k], ++seen[200 + k];
  x[0] += 3 * n, x[1] -= n, d[0] += 0.5 * n;
}
void swapAll(const int n, int *x) { x[3] += n * (n + 1) / 2; }
