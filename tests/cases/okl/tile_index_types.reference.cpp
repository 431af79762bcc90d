void types(const long n, const unsigned short m, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 2008 + (i % 2 ? 0 : 100) + (i < m ? 110000 : 0) + (i < 10 ? i - 3 : 0);
}
