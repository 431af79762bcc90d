void misread(int n, int *v, int *w, int *out) {
  for (int i = 0; i < n; ++i) {
    w[i] = i;
    v[i + n * i] = 2;
    out[i] = i > 2 ? ((i * 5 + 3) >> 1) + 1 : 0;
  }
}

void components(int n, float *f, double *g) {
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < 8; ++i) {
      f[0] += 1;
      f[3] += i;
      g[3] -= 2;
    }
    f[5] += (0 + 2 + 4 + 6) * n + (1 + 3 + 5 + 7);
  }
}
