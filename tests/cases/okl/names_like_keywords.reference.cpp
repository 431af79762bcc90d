void shifted(const int n, float *a, const float *b) {
  for (int i = 0; i < n; ++i) a[i] = b[i] + 1.0f;
}

void wide(const int n, long *out) {
  for (int g = 0; g < n; ++g)
    for (long i = 3000000000; i < 3000000032; ++i) out[g * 32 + (i - 3000000000)] = i * 2 + g;
}

void plain(const int n, const float *a, float *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] * 2.0f;
}

void tiled(const int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i];
}
