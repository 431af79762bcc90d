void siblingExtents(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < 20; ++i) {
      int sum = 0;
      for (int k = 0; k < 8; ++k) sum += in[32 * g + 8 * (i % 4) + k];
      out[32 * g + i] = in[32 * g + 31 - i] + sum;
    }
  }
}

void differentRanks(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int x = 0; x < 8; ++x)
      for (int y = 0; y < 4; ++y) out[8 * g + x] += in[32 * g + 8 * y + x];
}
