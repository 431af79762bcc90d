void constant(const int n, float *x) {
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < 8; ++i) {
      if (i < b % 4 + 1) x[8 * b + i] = 1;
      x[8 * b + i] += 10 + i;
    }
}

void exclusive(const int n, float *x) {
  for (int b = 0; b < n; ++b)
    for (int k = 0; k < 16; ++k) {
      const int j = k / 8, i = k % 8;
      if (j < b % 2 + 1 && i < b % 4 + 1) x[16 * b + k] = 1;
      x[16 * b + k] += 100 * j + i;
    }
}
