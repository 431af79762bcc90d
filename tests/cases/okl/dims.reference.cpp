void parameters(const int n, const float *in, float *out) {
  // Order (2, 0, 1): k is the fastest, then i, then j.
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 4; ++i)
        out[k + n * (i + 4 * j)] = in[i + 4 * (j + 6 * k)] + 100.0f * k;
}

void elsewhere(const int n, float *m, int *rows, float *out) {
  for (int g = 0; g < n; ++g)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 4; ++i)
        out[24 * g + i + 4 * j] = m[i + 4 * rows[j]] * (g + 1) + 0.5f + 1;
}

void counting(const int n, const int *values, int *table) {
  for (int i = 0; i < n; ++i) table[values[i] % 3 + 3 * (values[i] % 2)] += 1;
}
