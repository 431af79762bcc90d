void ragged(const int n, const int a, const int b, const int c, int *out) {
  for (int k = 0; k < 64 * n; ++k) {
    const int i = 63 - k % 64;
    out[k] += (i < a) + 10 * (i < b * c);
  }
}
void allRuntime(const int n, const int a, const int b, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < b; ++i) out[32 * g + i] = 5 + (i < a ? i : 0);
}
