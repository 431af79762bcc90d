void headers(const int n, const int *in, int *out) {
  for (int g = 0; g < 2; ++g)
    for (int i = 0; i < n; ++i) out[8 * g + i] = in[8 * g + 7 - i] + 3 + i;
}

void alike(const int n, const int *in, int *out) {
  for (int g = 0; g < 2; ++g)
    for (int i = 0; i < 8; ++i) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += (in[8 * g + 7 - i] + k) * (in[8 * g + i] + k);
      out[8 * g + i] = sum;
    }
}
