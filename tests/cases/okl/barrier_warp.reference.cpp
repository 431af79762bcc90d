void warps(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 32) {
    int s[32];
    for (int i = 0; i < 32; ++i) s[i] = in[i];
    for (int step = 16; step > 0; step /= 2)
      for (int i = 0; i < step; ++i) s[i] += s[i + step];
    for (int i = 0; i < 32; ++i) *out++ = s[0] - s[i];
  }
}
void betweenNests(const int n, int *data) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 32; ++i) data[32 * g + i] = 32 * g + 31 - i;
}
