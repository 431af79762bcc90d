void twice(const int n, int *out) {
  for (int k = 0; k < 48; ++k) {
    out[k] += 1000;
    if (k < 3 * n) out[k] += 10 * (k / 3) + k % 3 + 10000 * (2 - k % 3);
  }
}
