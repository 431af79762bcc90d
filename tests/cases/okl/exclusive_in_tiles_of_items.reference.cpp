void tiled(const int groups, const int n, int *out) {
  for (int k = 0; k < groups * n; ++k) out[k] = 2 * (100 * (k / n) + k % n);
}
