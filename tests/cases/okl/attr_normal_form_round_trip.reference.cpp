void normal(const int n, const float *in, float *out, int *hits) {
  for (int k = 0; k < 3 * n; ++k) {
    out[k] = in[k / 3 * 3 + 2 - k % 3];
    ++hits[0];
    ++hits[1];
  }
}
