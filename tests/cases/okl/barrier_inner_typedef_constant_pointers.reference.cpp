void fixed(const int n, const float *in, float *out) {
  for (int k = 0; k < 8 * n; ++k) out[k] = in[k - k % 8 + 7 - k % 8];
}
