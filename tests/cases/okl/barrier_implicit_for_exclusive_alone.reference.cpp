void handOn(const int n, int *data) {
  for (int g = 0; g < n; ++g, data += 16)
    for (int i = 0; i < 8; ++i) {
      const int a = data[i], b = data[15 - i];
      data[i] = a + 2 * b;
      data[15 - i] = b + 2 * a;
    }
}
