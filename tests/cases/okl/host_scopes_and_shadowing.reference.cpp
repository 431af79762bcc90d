void scopes(const int n, int *out) {
  for (int j = 0; j < 4; ++j) out[j] += 20 + n + 500 + 7000 + 2 * 1100000 + 10000000 * (j / 2 + 2);
}
