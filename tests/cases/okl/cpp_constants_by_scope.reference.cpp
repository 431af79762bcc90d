struct Quad {
  double side[4];
};
void scoped(const int n, const Quad square, double *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 10; ++i)
      out[g * 10 + i] = square.side[i % 4] + g + 100.0 * (i % 6) * (i % 6) + 100000.0 * (i % 4) + 8;
}
