void scopes(const int n, const double *in, double *out) {
  for (int k = 0; k < 4 * n; ++k) {
    const int i = k % 4;
    const double p = in[k], q = in[k - i + 3 - i];
    out[k] = (i % 2 ? p + q : p * q) + i + 5 + 0.5 + (i % 2 ? 4 : 5) + i + 1 + 9 + 1;
  }
}
