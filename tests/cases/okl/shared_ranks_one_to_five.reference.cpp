void ranks(const int n, const int *in, int *out) {
  for (int k = 0; k < 24 * n; ++k) {
    const int v = in[k / 24 * 24 + 23 - k % 24];
    out[k] = v + 10 * (v + 1) + 100 * (v + 2) + 1000 * (v + 3) + 10000 * (v + 4);
  }
}
