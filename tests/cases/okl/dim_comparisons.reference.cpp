void comparisons(const int n, const int *t, const float *m, float *o) {
  for (int j = 0; j < 8; ++j) {
    const int i = j % 4, b = j / 4;
    const int first = i < t[j] ? 1 : 0, second = 1 > n ? 1 : 0, third = i < n ? 1 : 0, fourth = t[i] > b + 1 ? 1 : 0;
    o[j] = m[first + 4 * second] + 10 * m[i + 4 * (m[0] < 2 ? 1 : 0)] + 100 * m[third + 4 * fourth];
  }
}
