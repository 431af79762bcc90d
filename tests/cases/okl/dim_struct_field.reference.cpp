void accelerate(const int n, float *data, const int *flags) {
  for (int k = 0; k < 12 * n; ++k) {
    data[k] += flags[k / 3 % 4] * (k % 3 + 1);
    data[k] += 0.25f;
  }
}
