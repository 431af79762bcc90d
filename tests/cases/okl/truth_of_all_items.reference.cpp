typedef unsigned long ulong;
typedef unsigned int uint;

void indices(const int n, const float p, const long q, const ulong *in, const uint *k, ulong *o) {
  for (int i = 0; i < n; ++i) {
    long place = 0;
    if (p > 11.5f) place = 1;
    o[i] = 18446744073709551614UL;
    if (p > -390.125f) o[i] = in[((long)(k[place] & 1023) - (q & 63)) & 255];
  }
}

void conditions(const int n, const float p, const int *table, int *o) {
  int chosen = 5, s = 4, less = 1;
  if (p > 11.5f) chosen = 3;
  if (p == 0.25f) s = 2;
  if (p < 3) less = 0;
  if (p == 2) chosen += 1;
  for (int i = 0; i < n; ++i) {
    o[i] = i;
    if (p < 100 * i) o[i] = table[s] + table[less] + table[chosen];
  }
}

void brackets(const int n, const int p, const int *in, int *o) {
  for (int i = 0; i < n; ++i) {
    int c = 0, d = i % 4;
    if (in[i] > 2) c = 1;
    int v = in[c + 4 * d] + in[c - 2 * d + 10] + in[c + 2 * in[d + 8 * c]];
    int masked = 0;
    if (c == 1 && d % 2 == 1) masked = 1;
    v += in[8 - c + 2 * d] * c - d * in[masked];
    o[i] = v + p * c - d * 3;
  }
}
