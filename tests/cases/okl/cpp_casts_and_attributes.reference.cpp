void casts(const int n, const int, const float *bits, double *out) {
  for (int k = 0; k < n; ++k) {
    double value = 0.5 * k + 2 + 3 + 0.5 + 1 + k + (k % 2 ? 2 : 0);
    value += k % 3 == 0 ? 1100 : k % 3 == 1 ? 1000 : 2;
    out[k] = value + bits[k] + (3.5 + k) + 3 + 2 + 32;
  }
}
