void lazy(const int n, const int zero, int *out) {
  for (int i = 0; i < n; ++i) out[i] = zero ? 1 + 40 + 100 * 50 + 1000000 : 2 + 40 + 100 * 20 + 1000000;
}
