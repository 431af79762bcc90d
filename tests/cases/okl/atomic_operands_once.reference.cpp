void sideEffects(const int n, int *x, int *own) {
  x[0] += 3 * n, x[2] -= 2 * n;
  for (int k = 0; k < n; ++k) own[k] = 24;
}
