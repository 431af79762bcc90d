void returns(const int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i) {
    const int v = in[i];
    if (v < 3) continue;
    // The sum of the rounds before the one that leaves.
    out[i] += v >= 4 && v < 8 ? (v - 4) * (v - 5) / 2 : 6 + 100;
  }
}
void guardedReturn(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] += k;
}
