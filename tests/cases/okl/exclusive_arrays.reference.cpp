void exclusiveArrays(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    int seen[4][6];
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 6; ++x)
        seen[y][x] = (in[24 * g + 6 * y + x] + 1) + (10 * y + x + 1 + 1) + (0 + 1 + 2);
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 6; ++x) {
        out[24 * g + 6 * y + x] = (in[24 * g + 6 * y + x] + 1) + 1000 * (10 * y + x + 1) + 7 * 1 +
                                  100 * (7 + x) + seen[3 - y][5 - x] +
                                  (int)(x + 2.0f * y + 1.5f);
      }
    }
  }
}
