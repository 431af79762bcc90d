void shifted(const int n, const int *in, int *between, int *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      between[y * n + x] = in[y * n + x];
      const int next = x % 4 < 3 && x + 1 < n ? x + 1 : x / 4 * 4;
      out[y * n + x] = in[y * n + next] + 100 * in[y * n + x];
    }
}
