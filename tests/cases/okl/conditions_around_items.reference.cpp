void some(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int j = 1; j < 4; j += 2)
      for (int i = 0; i < 8; ++i) out[32 * g + 8 * j + i] = in[32 * g + 8 * j + 7 - i];
}

void fewer(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int j = 0; j < 4; j += 2)
      for (int i = 0; i < 8; ++i) out[32 * g + 8 * j + i] = in[(32 * g + 8 * (j + 1) + i + 1) % 96];
}

void choice(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 8; ++i) out[32 * g + 8 * j + i] = j == 3 ? i : in[32 * g + 8 * (3 - j) + i];
}

void groups(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int k = 0; k < 32; ++k) {
      if (g != 1) out[32 * g + k] = in[32 * g + 31 - k];
      if (g != 2) out[32 * g + k] += 1000;
    }
}
