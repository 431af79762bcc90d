void declared(const int n, const int *in, int *out) {
  for (int k = 0; k < 4 * n; ++k) {
    const int i = k % 4, j = 3 - i;
    out[k] = in[k] + 1 + i * i * (i - 7) + in[k - i + j] + 1 + j * j * (j - 7);
  }
}
