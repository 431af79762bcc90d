void early(const int n, const int *in, int *out) {
  for (int k = 0; k < 7 * n; ++k) {
    const int v = in[k];
    out[k] = v % 3 == 0 ? 1 + 1000 * v : 4 * (v % 3 == 1 ? 10 : 11 + v) + 1000 * (v + 1);
  }
}
