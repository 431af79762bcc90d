void reduceAndScan(const int n, const int *in, int *sums, int *scans) {
  for (int g = 0; g < n; ++g) {
    sums[g] = 0;
    for (int i = 0; i < 16; ++i) scans[16 * g + i] = sums[g] += in[16 * g + i];
  }
}
void nestedLoops(const int n, const int rounds, int *data) {
  for (int g = 0; g < n; ++g, data += 6) {
    int s[6], t[6], sum[6];
    for (int a = 0; a < rounds; ++a) {
      for (int i = 0; i < 6; ++i) s[i] = data[i], sum[i] = 0;
      for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < 6; ++i) t[i] = s[(i + a + b) % 6];
        for (int i = 0; i < 6; ++i) s[i] = t[i] + b, sum[i] += t[i];
      }
      for (int i = 0; i < 6; ++i) data[i] += sum[i];
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 6; ++i) s[i] = data[i];
      for (int i = 0; i < 6; ++i) data[i] += s[5 - i] % 7;
    }
  }
}
