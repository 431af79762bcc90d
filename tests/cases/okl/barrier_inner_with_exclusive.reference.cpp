void both(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 10)
    for (int i = 0; i < 10; ++i) {
      auto right = [=](int k) { return 3 + in[(k + 1) % 10]; };
      const int j = (i + 5) % 10;
      *out++ = 2 * right(j) + 2 * right(9 - j) + 9 - j + 2 * right(i) + 2;
    }
}
