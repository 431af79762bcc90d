void deepSiblings(const int n, const int rounds, int *out) {
  for (int g = 0; g < n; ++g, out += 20) {
    for (int i = 0; i < 20; ++i) out[i] = i;
    for (int r = 0; r < rounds; ++r) {
      for (int i = 0; i < 10; ++i) out[i] += out[i + 10] + r;
      if ((g + r) % 2)
        for (int i = 0; i < 7; ++i) out[19 - i] += out[i];
      else
        for (int i = 0; i < 6; ++i) out[10 + i] -= out[5 - i];
    }
  }
}
