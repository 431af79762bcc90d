void byTypedef(const int n, const double *in, double *out, double *alsoOut) {
  for (int k = 0; k < 12; ++k) {
    const int i = k % 4, j = k / 4;
    for (int r = 0; r < n; ++r) out[12 * r + k] = in[j + 3 * i] + r;
    alsoOut[k] = -in[(2 - j) + 3 * (3 - i)];
  }
}
