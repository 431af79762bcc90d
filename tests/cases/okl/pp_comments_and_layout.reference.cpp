void layout(const int n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] = k / 4 - k % 4 - 2 + 3 + k % 4 + k / 4;
}
