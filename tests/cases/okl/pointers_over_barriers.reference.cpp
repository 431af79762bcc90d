void addresses(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) {
      const int p = in[i], both = p + in[7 - i];
      *out++ = both + 10 * (p + 4) + 100 * (2 + p) + 1000 + 10000 * (i < 4 ? i : 2 * i) + 100000 * p;
    }
}

void held(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = in[i] + 1 + 10 * (i + in[7 - i]) + 100 * (5 * i) + 1000 * (i + 4);
}

void counters(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = i + in[7 - i] + 100 * (3 * i + 3);
}

void fewer(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = i < 6 ? in[i + 1] + in[i + 2] : in[i];
}
