void rotate(int groups, int rounds, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 16; ++i) {
      const int value = in[16 * g + (15 - i + rounds) % 16] + rounds;
      out[16 * g + i] = rounds > 2 ? 2 * value : value;
    }
}
