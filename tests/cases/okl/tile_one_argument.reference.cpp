void plainTiles(const int n, const int *in, int *out) {
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < 2; ++i) {
      int sum = 0;
      for (int k = g; k < n; ++k) sum = (3 * sum + in[k]) % 1009;
      for (int k = n - 1; k >= i; k -= 2) sum = (3 * sum + in[k]) % 1009;
      out[2 * g + i] = sum;
    }
}
void aroundInner(const int n, int *out) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 6; ++i) out[i] = (3 * out[i] + k) % 1009;
}
void aroundOuter(const int n, int *out) { aroundInner(n, out); }
