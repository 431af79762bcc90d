void inclusive(const int n, const int *in, int *out) {
  for (int k = 0; k < 9 * n; ++k) out[k] = in[k / 9 * 9 + 8 - k % 9] + (k % 9 % 4 == 0 ? 100 * in[k / 9 * 9 + 8] : 0);
}
