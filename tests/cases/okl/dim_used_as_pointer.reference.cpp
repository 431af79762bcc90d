void bothWays(const int n, int *m, int *out) {
  for (int g = 0; g < n; ++g, m += 4) {
    m[0] += 1;
    m[1] += m[0];
    out[g] = 2 * (m[0] + m[1]) + 2 * (m[2] + m[3]) + 1;
  }
}
