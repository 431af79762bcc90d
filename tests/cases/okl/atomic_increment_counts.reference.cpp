void count(const int n, int *i, unsigned *u, float *f, long *l) {
  i[0] += n, u[0] += n, f[0] += n, l[0] += n, f[1] -= n, f[2] -= 0.5f * n, u[1] -= n;
}
