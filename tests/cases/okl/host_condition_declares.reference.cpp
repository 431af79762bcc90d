void declares(const int n, const int mode, int *out) {
  for (int i = 0; i < n; ++i) out[i] += mode % 4 + (mode / 2 > 2 ? mode / 2 * 1000 : -(mode / 2));
}
