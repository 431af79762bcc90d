void lopsided(const int n, int *out) {
  for (int k = 0; k < 17 * n; ++k) out[k] += 100 * (k / 17) + k % 17;
}
void lonely(const int n, int *out) {
  for (int k = 0; k < 14 * n; ++k) out[k] += (k < 5 * n) + 10;
}
