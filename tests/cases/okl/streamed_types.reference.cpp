void typed(const int n, const int from, signed char *s, long long *l, int *k, unsigned short *u, float *d) {
  for (int i = from; i <= n; ++i) s[i] = (signed char)(i - 7);
  for (int i = from; i < n; ++i) l[i] = i * 5000000000LL;
  for (int i = 0; i < n; ++i) k[i] = i % 2;
  for (int i = 0; i < n; ++i) u[i] = 3;
  for (int i = 0; i < n; ++i) d[i] = i + 0.5f;
}
