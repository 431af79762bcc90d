void checks(const int n, const int m, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 1000110;
  for (int i = 0; i < m; ++i) out[i] += 111001;
}
