void pivots(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += in[8 * g + k];
    for (int i = 0; i < 8; ++i) out[8 * g + i] = sum + 2 * in[8 * g + 7 - g % 8] + 700 + i;
  }
}
