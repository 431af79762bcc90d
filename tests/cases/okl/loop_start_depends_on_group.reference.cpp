void skewed(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 10; ++i)
      out[10 * g + i] += (i >= g % 3 && i < g % 3 + 5) + 10 * (i < 4) + 100 * (i <= 9 - g % 3 && i > 4 - g % 3);
}
