void conditions(const int n, int *o) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      int &x = o[8 * g + i];
      if (g < 3) x += 10 * g + 7 - i;
      if (g % 2) x += 300;
      if (g > 1) x += 1000;
      x += g == 2 ? (i + 1) % 8 : 5000;
    }
}

void ends(const int n, const int blocks, const int kb, int *a) {
  for (int b = 0; b < blocks; ++b) if (b != kb) for (int y = 0; y < 8; ++y) for (int x = 0; x < 8; ++x)
    if (kb * 8 + y < n && b * 8 + x < n) a[b * 64 + y * 8 + x] = 63 - y * 8 - x;
}
