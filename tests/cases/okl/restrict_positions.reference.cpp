void everywhere(const int n, const float *a, const float *b, float *c, const float *d, float *e) {
  for (int k = 0; k < 4 * n; ++k) c[k] = a[k] + 2.0f * b[k / 4 * 4 + 3 - k % 4] + d[k] * e[k];
}
