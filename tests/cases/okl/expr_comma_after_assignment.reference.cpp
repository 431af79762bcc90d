void commas(const int n, int *out) {
  // b runs over 9, 8, 7.
  for (int k = 0; k < n; ++k) out[k] = 10 * (k + 3) + 1 + k + 4 + 24;
}
