void declaredOnce(const int n, int *data) {
  for (int k = 0; k < 12 * n; ++k) data[k] += k % 4 ? k % 4 : 104;
}
