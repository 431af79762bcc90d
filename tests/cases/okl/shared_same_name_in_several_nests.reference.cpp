void reused(const int n, int *out) {
  for (int g = 0; g < n; ++g, out += 16) {
    for (int i = 0; i < 12; ++i) out[4 + i] = 11 - i + 10 * g + 3;
    for (int i = 0; i < 4; ++i) out[i] = 10 * g + 3 - i + 1000 * (3 - i) + (i < 3 ? 150 * (2 - i) : 0);
  }
}
