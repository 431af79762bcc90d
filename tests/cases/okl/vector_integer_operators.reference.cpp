void operators(int n, const int *a, const int *b, int *c, int *o, int *p) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) {
      const int v = a[4 * i + k];
      int w = (v % 7) + (100 % (v + 1)) + (v | 32) - (v ^ a[4 * i + 1]);
      w *= 4;
      w = (w / 2) ^ (v & w);
      w = w % 1000 | 1;
      o[4 * i + k] = (w ^ v) & 4095;
    }
    for (int k = 0; k < 2; ++k) {
      const unsigned before = static_cast<unsigned>(c[2 * i + k]);
      c[2 * i + k] = static_cast<int>(((0u - (before << 1)) >> 4) ^ 3u);
    }
    const int bytes[4] = {i, 2 * i, 250, 1};
    p[i] = 2 * b[4 * i] + 4 * b[4 * i + 1] + 8 * b[4 * i + 2];
    for (int byte : bytes) p[i] += (255 - byte) & 15;
  }
}
