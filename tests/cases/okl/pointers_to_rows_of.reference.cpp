void rows_of(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    const int *s = in + 12 * g;
    for (int i = 0; i < 4; ++i) {
      int sum = i > 1 ? 100 : 0;
      for (int k = 0; k < 3; ++k) sum += s[4 * k + i];
      for (int k = 0; k < 2; ++k) sum += s[4 * k + 3 - i];
      // The members that are read: 4, 0.5, 6, 3, 7 and 60.
      sum += 1000 * 4 + 0 + 6 + 10 + 60;
      sum += s[i] + s[4 + 3 - i];
      sum += s[4] + s[8];
      sum += s[4] + s[7];
      out[4 * g + i] = sum;
    }
  }
}
