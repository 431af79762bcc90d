void beside(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i)
      out[8 * g + i] = i + (0 + 1 + 2) * 3 + 5 + 10 * (i + i + 1) + 100 * 6 + 1000;
}

void counted(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) out[8 * g + i] = 10 * 3 + 3 * i + 3;
}
