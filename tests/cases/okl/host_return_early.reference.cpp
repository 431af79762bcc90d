void early(const int n, const int limit, int *out) {
  const int add = limit == 3 ? 3 : limit == 4 ? 6 + 1000 : 10 + 100000;
  for (int i = 0; i < n; ++i) out[i] += add;
}
