void conditions(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const int v = in[8 * g + i];
      int found = v % 5 > 3 ? v % 5 : 0;
      if (i) found += 100;
      found += 1000 * (v % 3);
      found += 3 + (i == 0);
      found += 10000 * (1 + 2 + i);
      out[8 * g + i] = found + i;
    }
}

void constants(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const int found = 1 + 2 + i + (i == 3 ? 50 : 0) + 1 + 2 + 3 + 4 + i;
      out[8 * g + i] = found + i + 7 + i;
    }
}
