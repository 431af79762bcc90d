void designated(const int n, float *out) {
  for (int k = 0; k < n; ++k) out[k] = 1 + 1 + 3 + 4 + 8 + k;
}
void partly(const int n, const float *in, float *out) {
  for (int k = 0; k < n; ++k) {
    const double table = k % 4 == 0 ? 1.5 : k % 4 == 1 ? 2.5 : 0;
    out[k] = 10 * in[k + n] + 100 * k + 7 + in[k] + 5 + table + 1000 * in[k + n];
  }
}
