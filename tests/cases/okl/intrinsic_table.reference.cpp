void reciprocals(const int n, const float *x, float *y, int *bits) {
  for (int i = 0; i < n; ++i) {
    y[i] = 2 / (x[i] + 1);
    bits[i] = 10;
    for (int b = 0; b < 31; ++b) bits[i] += (i * 37) >> b & 1;
  }
}
