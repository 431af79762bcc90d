// With the types written out.
void constants(const int n, const int *x, long *y) {
  for (int g = 0; g < n; g += 16) {
    long kept[16];
    for (int i = 0; i < 16; ++i) {
      const unsigned int k = x[g + i];
      kept[i] = (6000000000L >> 20) + (k < 1u) + 10 * (k != 1u) + 100 + 1000;
    }
    for (int i = 0; i < 16; ++i) {
      const int k = x[g + i];
      long *row = y + 8 * (g + i);
      row[0] = kept[15 - i];
      row[1] = (2000000000L + k) * 3;
      row[2] = 8000 + 400 + 20 + 1;
      row[3] = k == 3 ? 1 : k == -2 ? 2 : k == 5 ? 3 : 0;
      row[4] = k / 2;
      row[5] = 3 - 3 + 3200 + 1;
      row[6] = 10737418240L + (k ? -6000000000L : 1);
      row[7] = k + 1L;
    }
  }
}

void tiles(const int n, long *y) {
  for (int i = 0; i < n; ++i) y[i] = (1 + 3 + 5 + 7 + 9 + 11 + 13 + 15) * 3L * 1000000000L + i % 16;
}
