void keywords(const int n, const float *in, float *out, const int a, const int b, const int c) {
  for (int first = 0; first < n; first += 16)
    for (int i = 0; i < 16; ++i) out[first + i] = in[first + 15 - i] + a + b + c + 2 + 3 + 4 * 5 + 1 - 0 + 1 + 2 - 3;
}
