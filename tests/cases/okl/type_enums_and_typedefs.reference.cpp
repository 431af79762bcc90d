void chains(const unsigned n, const int state, float *values, const float by, int *codes) {
  for (unsigned k = 0; k < n; ++k) {
    codes[k] = (k % 2 ? 5 : 6) + 100 * ((k > 3 ? 7 : 0) == state) + 1000 * (k + 2 < n ? k + 2 : n - 1) + 48;
    values[k] += by * (1 + k % 2 * 3 + k % 3) + (2.5 - k % 3);
  }
}
