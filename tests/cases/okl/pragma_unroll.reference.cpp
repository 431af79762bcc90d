void unrolled(const int n, const int *in, int *out) {
  for (int k = 0; k < 4 * n; ++k) {
    const int *a = in + k / 4 * 4;
    out[k] = a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3] + 36 - n * (n - 1) / 2 + 3300 + k % 4;
  }
}
