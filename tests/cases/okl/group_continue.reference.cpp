void skips(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 4 && g % 3 != 1; ++i) {
      for (int k = 0; k < 3; ++k) out[4 * g + i] += k == g % 4 ? 0 : 10 * g + (i + k) % 4;
      // The round that would leave the loop is skipped: there is one more.
      if (g % 4 == 2) out[4 * g + i] += 10 * g + (i + 3) % 4;
      if (g % 3 == 0) out[4 * g + i] += 1000;
    }
}
void skipsOfTwo(const int n, int *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 3; ++x)
      for (int i = 0; i < 2; ++i) out[6 * y + 2 * x + i] += y != 1 && x != y;
}
