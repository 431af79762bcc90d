void members(const int n, const float *in, float *out) {
  for (int k = 0; k < n; ++k) {
    const float v = in[k], w = 4 + 2 * k;
    out[k] = 1 + 2 * 3 + (3 - w) * 3 + 4 * w + 2 * v + 2 * v * 2 + v - 2 * k;
  }
}
