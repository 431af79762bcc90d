void designated(const int n, float *out) {
  for (int k = 0; k < n; ++k) out[k] = 1 + 1 + 3 + 4 + 8 + k;
}
