void changed(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g, in += 16, out += 16) {
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) {
        float sum = 0;
        for (int m = 0; m < 4; ++m) {
          const float row = 4 * in[4 * i + m] + 1 + 2 + 3 + 4;
          const float column = 4 * in[4 * m + i] + 1 + 2 + 3 + 4;
          sum += 4 * (row + 2 * column);
        }
        out[4 * j + i] = sum;
      }
    }
  }
}
