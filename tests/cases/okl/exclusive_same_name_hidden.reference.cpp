void hidden(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 5; ++i) {
      out[10 * g + i] = 5 + 100 + 200 * i + 2 * i;
      out[10 * g + 5 + i] = 10 * i;
    }
}
