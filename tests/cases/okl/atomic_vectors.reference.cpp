typedef unsigned char uchar;
typedef unsigned short ushort;
void vectors(const int n, int *pairs, float *real, uchar *bytes, short *halves, signed char *tiny, ushort *wide) {
  for (int i = 0; i < n; ++i) {
    pairs[0] += i, pairs[1] -= i;
    pairs[2] -= i, pairs[3] += i;
    pairs[4] ^= i, pairs[5] ^= -i;
    pairs[6] += i, pairs[7] += 2;
    real[0] += i, real[1] += 0.5f * i;
    real[2] += 3.0f * i, real[3] += 1.5f * i;
    if (i < 4) real[4] *= 2, real[5] *= 2;
    bytes[i % 3 * 4] += 1, bytes[i % 3 * 4 + 1] += 2, bytes[i % 3 * 4 + 3] += i;
    halves[i % 3 * 2] -= i, halves[i % 3 * 2 + 1] -= 3;
    tiny[i % 5 * 2] += 1, tiny[i % 5 * 2 + 1] -= 1;
    ushort *w = wide + i % 2 * 4;
    w[0] |= 1 << (i % 16), w[1] |= i, w[2] |= 7, w[3] |= 1;
    pairs[10] = pairs[8], pairs[11] = pairs[9];
    pairs[12] += pairs[8] + i, pairs[13] += pairs[9] - i;
  }
}
void tickets(const int n, int *counter, int *drawn) {
  for (int i = 0; i < n; ++i) drawn[i] = 2 * i, drawn[n + i] = 2 * i, drawn[2 * n + i] = 2 * i;
  counter[0] = n, counter[1] = 2 * n;
  counter[2] = counter[3] = 0;
  counter[4] = n - 1, counter[5] = 2 * n - 2;
}
void ofGroups(const int groups, int *out) {
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < 12; ++i) out[12 * g + i] = 0;
    for (int i = 0; i < 12; ++i) {
      out[12 * g + i % 2 * 2] += i + g, out[12 * g + i % 2 * 2 + 1] += 1;
      out[12 * g + 4 + i % 4 * 2] += i, out[12 * g + 4 + i % 4 * 2 + 1] += 1;
    }
  }
}
