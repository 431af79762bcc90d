void lambdas(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      int count = 1000, list[3] = {0, 0, 0};
      for (int k = 0; k <= i; ++k) count += in[8 * g + k], list[in[8 * g + k] % 3]++;
      out[8 * g + i] = count + 3 * (list[1] + 10 * list[2]) + 2 * list[0];
    }
}
