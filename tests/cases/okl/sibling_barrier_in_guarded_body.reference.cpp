void guarded(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int s[12], t[12] = {}, sums[5];
    for (int i = 0; i < 12; ++i) s[i] = in[12 * g + i];
    for (int i = 0; i < 5; ++i) sums[i] = s[i] + s[i + 5];
    for (int i = 0; i < 5; ++i) t[i] = 2 * sums[(i + 1) % 5] + sums[i];
    for (int k = 0; k < 6; ++k) s[k] = t[k % 3] + k / 3;
    for (int k = 0; k < 6; ++k) t[k] += s[3 * (1 - k / 3) + 2 - k % 3];
    for (int i = 0; i < 12; ++i) out[12 * g + i] = t[i] + 1000 * s[i];
  }
}
