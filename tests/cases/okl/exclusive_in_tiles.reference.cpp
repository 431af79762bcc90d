void lastOfTile(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    for (int item = 0; item < 6; ++item) {
      int k = 0, sum = 0;
      for (int i = 4 * item; i < 4 * item + 4 && i < 22; ++i) {
        k = in[22 * g + i];
        sum += k;
      }
      out[12 * g + 2 * item] = k;
      out[12 * g + 2 * item + 1] = sum;
    }
  }
}
