void scoped(const int n, const int rounds, const int *in, int *out) {
  for (int k = 0; k < 6 * n; ++k) {
    out[k] = 0;
    for (int r = 0; r < rounds; ++r) out[k] += (r + in[k]) * (r % 2 ? k % 6 + 2 : 1);
  }
}
