void reserved(const int n, const int *in, int *out, int *index) {
  for (int k = 0; k < 4 * n; ++k) {
    const int i = k % 4, j = 3 - i;
    out[k] = in[k - i + j] * (j + 1) + 3 + 3 + 4 + 2 + 21 + 7 + i + 1;
    index[k] = i;
  }
}
