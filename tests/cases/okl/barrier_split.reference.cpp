void reverse(int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 32; ++i) {
      const int *row = in + g * 32;
      const int next = (i + 1) % 32;
      out[g * 32 + i] = row[31 - next] + row[0] + 100 * row[i] + row[i] + 2 * row[i] + row[31 - i];
    }
}

void guarded(int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    int sum[8] = {};
    for (int k = 0; k < 32; ++k) sum[k % 8] += in[g * 32 + k];
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = sum[7 - i] + sum[i];
  }
}

void planes(int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 5; ++i) {
        const int at = (g * 4 + j) * 5 + i, opposite = (g * 4 + 3 - j) * 5 + 4 - i;
        out[at] = 7 + in[at] + 1000 * (2 + in[opposite]) + 100000;
      }
}

void tiled(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i) out[i] = in[i] + 1;
}

void skipping(int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 32; ++i) {
      const int at = g * 32 + i;
      out[at] = in[at] % 3 == 0 ? -1 : in[g * 32 + 31 - i];
    }
}
