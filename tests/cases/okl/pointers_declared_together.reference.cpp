void together(const int n, const float *x, float *y, float *m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j) {
      const float picked = 2 * x[1] + 1;
      const float r0 = 1 + x[0] + x[1] + x[2], r1 = 2 + picked + 4 + (3 + j + 1);
      y[8 * i + j] = 70 + (4 + j) + r0 + r1 + x[i] + x[2] + 2 + x[1] + 1 + m[2 * i] + m[2 * i + 1] + 4 + 5 + 4;
    }
}

void kept(const int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j) {
      const float *at = x + 8 * i + j;
      y[8 * i + j] = (j < 6 ? at[1] + at[0] + at[0] + 3 : 0) + 100 * j;
    }
}
