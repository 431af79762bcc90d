void zeroed(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int sum = 100 * g;
    for (int i = 0; i < 8; ++i) sum += in[8 * g + i];
    for (int i = 0; i < 8; ++i) {
      const int k = i % 4;
      *out++ = sum + 3 + 1000 * (k * k + k + k + 4);
    }
  }
}
