void without(const int n, const int *in, int *out) {
  for (int k = 0; k < 8 * n; ++k) out[k] = in[k / 8 * 8 + 7 - (k + 1) % 8] + 201;
}
