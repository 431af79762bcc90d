void pointers(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int s[4][6];
    for (int k = 0; k < 24; ++k) s[k / 6][k % 6] = in[24 * g + k] + (k % 6 == 2) * 100 + (k % 6 == 3) * 1000;
    for (int y = 0; y < 4; ++y) {
      int sum = 0;
      for (int x = 0; x < 6; ++x) sum += s[3 - y][x] + (x < 3 ? s[y][x] : 0);
      out[4 * g + y] = sum + s[3][y] + s[y][5];
    }
  }
}
