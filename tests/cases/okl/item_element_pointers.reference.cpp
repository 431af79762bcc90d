void elements(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      int found = 9 + i + 2 + 4 + i + 2 + 2;
      found += (i % 2 ? i + 2 : 9 + i + 4) + 9 + i;
      out[8 * g + i] = found + 500 + 1000 * i;
    }
}

void exclusive(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i)
      out[8 * g + i] = i + 10 * (7 + i) + 400 + 1000 + (i + 1 + i + 2) + 1;
}
