void lambdas(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 6)
    for (int i = 0; i < 6; ++i) {
      int total = 0;
      for (int k = 0; k < 6; ++k) total += in[k];
      *out++ = total + i + 2 + 6 + 20 + (in[i] % 2 ? 7 : 8) + 4 * in[5 - i] + 3 * i;
    }
}
