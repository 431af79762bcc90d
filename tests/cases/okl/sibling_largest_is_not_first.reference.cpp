void growing(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x) {
        const int k = (x + y) % 8, a = 10 * (x % 6) + g, b = 10 * (k / 4 + k % 4) + g + 1;
        *out++ = a + 1000 * b;
      }
}
