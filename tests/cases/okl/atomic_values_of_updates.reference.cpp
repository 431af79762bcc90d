void values(const int n, int *x, int *seen) {
  for (int k = 0; k < n; ++k) ++seen[k], ++seen[100 + k], ++seen[200 + k], ++seen[300 + k], ++seen[500 + 2 * k];
  seen[467] = 1;
  x[0] -= n, x[1] += n, x[2] += 2 * n, x[3] -= n, x[4] |= 64, x[5] += n;
}
