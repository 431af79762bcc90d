void backEdges(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8) {
    int sum[8] = {}, s[8];
    for (int r = 1; r <= 4; ++r) {
      if (r == 2) continue;
      for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 8; ++k) sum[i] = (5 * sum[i] + in[(i + k) % 8] + r) % 10007;
    }
    for (int r = 4; r > 0; --r) {
      for (int i = 0; i < 8; ++i) s[7 - i] = sum[i];
      for (int i = 0; i < 8; ++i) sum[i] += s[(i + r % 2) % 8];
    }
    for (int i = 0; i < 8; ++i) *out++ = sum[i] % 10007;
  }
}
