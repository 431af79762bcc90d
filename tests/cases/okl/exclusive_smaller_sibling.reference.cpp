void smaller(const int n, int *out) {
  for (int k = 0; k < 32 * n; ++k) {
    const int x = k % 8, y = k / 8 % 4;
    out[k] = 10 * y + x + (x < 5 && y < 2) * 1000 + (y == 0 && x < 3) * 20000 + (x == 0 && y < 3) * 300000;
  }
}
