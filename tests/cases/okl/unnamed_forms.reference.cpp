void unnamed_forms(const int n, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 3 - 2 + (i % 2 ? 3 : 1) + 10 * (i % 8) + 100 * ((i + 1) % 16) + 10000 * i + 1000000 * 8;
}
