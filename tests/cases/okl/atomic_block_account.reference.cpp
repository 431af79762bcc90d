void account(const int n, int *balance, double *last) {
  for (int k = 0; k < n; ++k) balance[0] += k, balance[1] -= k;
  last[1] = n - 1;
}
