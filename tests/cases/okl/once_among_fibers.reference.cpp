void statements(const int n, const float *x, float *o, int *c) {
  for (int k = 0; k < n * 4; ++k) c[k] += 101;
  for (int k = 0; k < n * 8; ++k) o[k] = x[k] + (n > 1 ? 10 * x[k / 8 * 8 + 7 - k % 8] : 0);
}

void siblings(const int n, const float *x, float *o, int *c) {
  for (int k = 0; k < n * 4; ++k) c[k] += 100;
  for (int k = 0; k < n * 8; ++k) o[k] = x[k ^ 1] + (n > 1 ? 10 * x[k / 8 * 8 + 7 - k % 8] : 0);
}
