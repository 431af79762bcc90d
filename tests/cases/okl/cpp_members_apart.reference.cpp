void members(const int n, double *out) {
  for (int k = 0; k < n; ++k) {
    const int low = k + 5, high = 3 * k + 5;
    out[k] = (high - low) + 100.0 + (100 - k - high) + (high - low) * 0.25 + (100 + k + 1) + 2.25 + k + 2 * k + 1;
  }
}
