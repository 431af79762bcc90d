void initialised(const int n, const int base, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 9; ++i)
      out[9 * g + i] = (5 + i) + 100 * (base + g - i) + i + i + (1 + 4 + 9) + 100 * (i % 3 + 1) + 1 + 3 * i + 50 * g + 7 * base + in[g];
}
