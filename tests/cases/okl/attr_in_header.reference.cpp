void weighted(const int rows, float *in, float *out) {
  for (int k = 0; k < 7 * rows; ++k) out[k] = in[k] + 0.5f * in[k / 7 * 7 + (k % 7 + 1) % 7];
}
void scaleAll(const int n, const float by, float *values) {
  for (int i = 0; i < n; ++i) values[i] *= by;
}
