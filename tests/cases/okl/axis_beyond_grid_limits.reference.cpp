void tall(const int n, int *out) {
  for (int k = 0; k < 2 * n; ++k) out[k] += k / 2 - k % 2;
}
void deep(const int n, int *out) {
  for (int k = 0; k < n; ++k) out[k] += k + 1;
}
