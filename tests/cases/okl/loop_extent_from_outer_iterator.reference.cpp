void elements(const int n, int *out) {
  for (int e = 0; e < n; ++e) out[e] += 1111 - (e % (2 * p_N) % 2 ? 100 : 0);
  for (int y = 0; y < 2; ++y)
    for (int x = 3; x < n - 1; x += 4) out[x + y] += 10000, out[x + y + 1] += 10000;
}
void steps(const int n, int *out) {
  for (int k = 0; k < 2 * n; ++k) out[k] += k % 2 + 1;
}
