void plainLoops(const int n, const int m, int *out) {
  int sum = m * (m - 1) / 2, rest = 4 * sum;
  while (rest > 100) rest -= 100;
  for (int k = 0; k < 6 * n; ++k) out[k] = sum + m * 4 * sum + m * (m - 1) / 2 + 3000 + 3 * rest;
}
void betweenOuters(const int n, int *out) {
  for (int k = 0; k < 12 * n; ++k) out[k] += 1000 * (k / 12) + 100 * (k / 6 % 2) + 10 * (k / 2 % 3) + k % 2;
}
