void once(const int n, int *count, int *out) {
  for (int g = 0; g < n; ++g) {
    for (int i = 0; i < 8; ++i) out[8 * g + i] = g + 1;
    count[g] += 2;
    count[n] += 1;
  }
}
