void backEdge(const int groups, const int rounds, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < 32; ++i) {
      int sum = 0;
      for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < 32; ++k) sum += (k + 1) * (in[32 * r + (i + k) % 32] + g);
      out[32 * g + i] = sum;
    }
  }
}

void shiftAround(const int rounds, int *data) {
  for (int g = 0; g < 3; ++g) {
    int old[32];
    for (int i = 0; i < 32; ++i) old[i] = data[32 * g + i];
    for (int i = 0; i < 32; ++i) data[32 * g + i] = old[(i + rounds) % 32] + rounds;
  }
}
