static void all(const int n, double *x) {
  for (int k = 0; k < n; ++k) {
    x[0] += k;
    x[1] -= 3;
    if (k % 16 == 3) x[2] *= 2;
    if (k % 16 == 5) x[3] /= 2;
    x[4] = 77;
    x[8] += 1, x[9] += 1, x[10] -= 1, x[11] -= 1;
    if ((double) (100 - k) < x[12]) x[12] = 100 - k;
    if ((double) (3 * k) > x[13]) x[13] = 3 * k;
    x[15] += x[14];
  }
}
void globalDouble(const int n, double *values) { all(n, values); }
void sharedDouble(const int groups, double *values) {
  for (int g = 0; g < groups; ++g) all(32, values + 16 * g);
}
