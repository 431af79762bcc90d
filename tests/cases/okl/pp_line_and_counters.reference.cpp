void lines(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] = 3 + 100 + 7 + 11000 + 11 + 14;
}
