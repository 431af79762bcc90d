void unroll(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 8; ++i) {
      float total = 0, sum = 0;
      for (int k = 0; k < 4; ++k) {
        const float v = 2 * in[8 * g + (i + k) % 8];
        total += 2 * v;
        sum += v;
      }
      // 3 + 2 + 1; four times 1; 1; 0 + 1 + 2 + 3; 0 + 1 + 2.
      out[8 * g + i] = total + 6 + 4 + 1 + 6 + 3 + sum;
    }
}

void plain(const int n, const float *in, float *out) {
  for (int i = 0; i < 8 * n; ++i) out[i] = in[i] + 1;
}
