void continueInner(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    int kept[16], mine[16];
    for (int i = 0; i < 16; ++i) {
      const int value = in[16 * g + i];
      kept[i] = value % 3 == 0 || value % 5 == 0 ? -1 : value;
      mine[i] = 3 * i + (value % 3 != 0);
    }
    for (int i = 0; i < 16; ++i) {
      int sum = mine[i];
      for (int k = 0; k < 16; ++k)
        if (kept[k] >= 0) sum += kept[k];
      out[16 * g + i] = sum + 1000 * kept[15 - i];
    }
  }
}

void continueTile(const int n, int *out) {
  for (int i = 0; i < n; i += 2) out[i] = i;
  for (int g = 0; g < 2; ++g)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 8; ++x)
        if (x != y) out[32 * g + 8 * y + x] += 100;
}
