void overloads(const int n, int *data, float *out) {
  for (int k = 0; k < n; ++k) {
    data[2 * k] = 2 * k + 51;
    data[2 * k + 1] = 2 * k;
    out[k] = k * k + 2 * k + 0.75f + k * (k + 2) + (3 * k + 100) + (2 * k + 100) + k + (k + 2 > 4 ? k + 2 : 4);
  }
}
