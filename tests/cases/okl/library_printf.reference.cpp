void checked(const int n, const double *x, double *out) {
  for (int i = 0; i < n; ++i) out[i] = 2 * x[i];
}
