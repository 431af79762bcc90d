void buffers(const int n, const float *a, const float *b, float *c, const int *i, double *d) {
  for (int k = 0; k < n; ++k) {
    c[4 * k] += a[2 * k];
    c[4 * k + 1] += b[4 * k + 1] + b[4 * k + 2];
    c[4 * k + 2] = a[2 * k + 1] + i[4 * k + 3];
    c[4 * k + 3] = i[4 * k] - i[4 * (n - 1 - k) + 1];
    d[2 * k + 1] += d[2 * k] * b[4 * k];
    d[2 * k] += 16 + 1600 + 160000 + 8000000;
  }
}
