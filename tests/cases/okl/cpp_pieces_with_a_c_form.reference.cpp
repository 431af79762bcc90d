void pieces(const int n, const double *in, double *out) {
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int i = k + 1; i < n; ++i) sum += in[i];
    out[k] = sum + 2 + k / 2.0 + 0.25 + 42 + n - k;
  }
}
