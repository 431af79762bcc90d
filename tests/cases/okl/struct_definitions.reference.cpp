void definitions(const int n, float *out) {
  for (int k = 0; k < n; ++k) out[k] = k + 1.5f + 1.5f + k + 5 + 3 + 3 * k + (k % 2 ? 9 : 6) + 4;
}
