void hidden(int n, const float *a, float *out) {
  for (int k = 0; k < 8 * n; ++k) {
    const float v = a[k];
    out[k] = 2 * (2 * v + (2 + v) + (1 + 2 + v) + 2 + 6) + (v + 1) + v;
  }
}
