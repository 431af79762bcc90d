void computed(const int n, const int width, int *out) {
  for (int k = 0; k < width * n; ++k) out[k] = k % width + (k % width < 5 ? 100 : 0);
}
