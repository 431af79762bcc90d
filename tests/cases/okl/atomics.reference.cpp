void updates(const int n, int *i, unsigned int *u, long *l, unsigned long *m, float *f, double *d) {
  for (int k = 0; k < n; ++k) {
    i[0] += k;
    i[1] -= k;
    i[2]++;
    --i[3];
    i[4] |= 1 << (k % 20);
    i[5] &= ~(1 << (k % 20));
    i[6] ^= k;
    u[0] += 3u;
    u[1]--;
    u[2] ^= 5u;
    l[0] += (long)k * k;
    l[1]++;
    m[0] += 1ul;
    f[0] += 1.0f;
    f[1] -= 0.5f;
    f[2]++;
    d[0] += 0.25;
    d[1] -= k;
  }
}

void products(const int n, int *i, float *f, double *d) {
  for (int k = 0; k < n && k < 20; ++k) {
    i[0] *= 2;
    f[0] *= 0.5f;
    d[0] /= 2.0;
  }
  i[1] = 77;
}

void inShared(const int groups, const int *in, int *out, double *sums) {
  for (int g = 0; g < groups; ++g) {
    for (int b = 0; b < 4; ++b) out[4 * g + b] = 0;
    sums[g] = 0;
    for (int i = 0; i < 32; ++i) {
      out[4 * g + in[32 * g + i] % 4] += in[32 * g + i];
      sums[g] += 0.5 * in[32 * g + i];
    }
  }
}
