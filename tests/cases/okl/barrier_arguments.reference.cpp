void withArguments(const int n, int *data) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) data[8 * g + i] = 2 * 8 * g + 7;
}
