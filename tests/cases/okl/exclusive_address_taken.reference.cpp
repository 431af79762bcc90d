void addresses(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 10; ++i) {
      const int v = in[10 * g + i];
      int list[4] = {-v, 7, v + 50, 2 * v}, best = -v;
      for (int x : list) best = x > best ? x : best;
      out[10 * g + i] = 3 + v + i + 10 * best + 7 + (i + 1) + 2 * g;
    }
}
