void sevens(const int n, int *out) {
  for (int i = 5; i < n; i += 7) out[i] += 1;
  for (int i = 5; i < 12; ++i) out[i] += 10;
}
