void inlined(int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g) {
    float s[4], all = 0;
    for (int i = 0; i < 4; ++i) {
      s[i] = 3 * in[4 * g + i] + (2 * i + 1);
      all += 2 * (s[i] + in[4 * g + i]);
    }
    for (int i = 0; i < 4; ++i) out[4 * g + i] = all + 4 * s[3 - i] + s[0] / 2;
  }
}
