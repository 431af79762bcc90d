void large(const int n, const double *in, double *out) {
  for (int k = 0; k < 100 * n; ++k) {
    out[k] = 0;
    for (int j = 0; j < 70; ++j) out[k] += in[70 * (k % 100) + j] + k / 100;
  }
}
void several(const int n, const double *in, double *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 100; ++i) {
      double sum = 5 * ((99 - i) % 3);
      for (int k = 0; k < 40; ++k) sum += in[100 * k + 99 - i] * (59 - k);
      out[100 * g + i] = sum;
    }
}
