void plain(const int n, int *i, unsigned *u, long *l, unsigned long *m, float *f, double *d, double *out) {
  i[1] = -5, u[1] = 4000000000u, l[1] = -6000000000, m[1] = 1ul << 63, f[1] = 0.5f, d[1] = 1e100;
  for (int k = 0; k < n; ++k) out[k] = 8000000000.0 - 7 + 0.125 + 3000000000.0 + 7000000000.0 + 0.25;
}
