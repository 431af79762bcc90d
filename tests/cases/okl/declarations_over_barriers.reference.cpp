void declarations(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = i + 2 + 3 * i + in[i] + 1 + in[i] + 2 + i + in[i] + in[7 - i];
}

void types(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) *out++ = in[i] + 2 * i + 3 * i + 3 + in[7 - i];
}
