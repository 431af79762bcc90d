void perItem(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 4; ++i) {
      const int *mine = in + 8 * ((g + i) % n);
      out[4 * g + 3 - i] = mine[2 * i] + 100 * mine[1 + 2 * (3 - i)];
    }
}
