void simd(const int n, int *out) {
  for (int k = 0; k < 20 * n; ++k) out[k] += k % 20 + 1100;
}
