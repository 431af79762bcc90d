void blockedSums(const int n, const int blocks, const int *in, int *out) {
  for (int b = 0; b < n * blocks; ++b) {
    out[b] = 0;
    for (int i = 0; i < 8; ++i) out[b] += in[8 * b + i];
  }
}
