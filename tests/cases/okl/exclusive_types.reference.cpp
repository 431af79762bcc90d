void kinds(const int n, const float *in, float *out) {
  // Everything is a multiple of one quarter and small, so that no order of additions matters.
  for (int k = 0; k < 6 * n; ++k) {
    const float i = k % 6;
    out[k] = in[k] + 8 * (i + 2 * i) + 1 + (k % 6 % 2 ? 0.5f : 0.25f) + 0.5f * i + 4 + (2 + i) + in[k] + 5;
  }
}
