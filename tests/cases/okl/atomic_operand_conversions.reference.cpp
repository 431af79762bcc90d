void operands(const int n, int *x, float *f, long *l) {
  for (int k = 0; k < n; ++k) {
    x[2] = (int) (x[2] - 1.5);
    x[3] += k % 2 ? 2 : -1;
    x[4] += 4;
    x[5] += k + 1;
    f[0] += k, f[1] += 0.25f;
    l[0] += 97, l[1] -= 1;
  }
  // Four halvings and four divisions by four.
  x[6] = 10;
  x[7] = 16;
}
