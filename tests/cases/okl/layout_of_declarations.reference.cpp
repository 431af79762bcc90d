void lists(const int n, const int *in, int *y) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const int a = in[g * 8 + i], b = in[g * 8 + 7 - i] + 1;
      y[g * 8 + i] = 2 * a + 3 + 2 * a + (in[0] + in[1]) + b + 2 * i + a + i + 7 + 7;
    }
}
