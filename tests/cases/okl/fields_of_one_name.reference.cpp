void fields(const int *from, int *x, int *y) {
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < 3; ++i) {
      x[o + 2 * i] = 1 + o + 10 * i + from[i];
      y[o + 4 * i] = 1 + o + 10 * i;
      y[2 + o + 4 * i] = 7;
      if (o == 0) y[24 + i] = from[i + 1];
    }
}
