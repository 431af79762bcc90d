void branches(const int n, const int *flags, int *out) {
  for (int g = 0; g < n; ++g) {
    int s[10];
    for (int i = 0; i < 10; ++i) s[i] = 10 * g + i;
    if (flags[g] & 1) {
      for (int i = 0; i < 5; ++i) s[9 - i] += s[i];
      for (int i = 0; i < 5; ++i)
        if (flags[g] & 2) s[2 * i + 1] += s[2 * i];
        else s[i] -= s[i + 5];
    }
    for (int i = 0; i < 10; ++i) *out++ = s[(i + 3) % 10];
  }
}
