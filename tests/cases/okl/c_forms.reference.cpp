void forms(int n, char negate, unsigned long offset, const char *mask, double *out) {
  for (int i = 0; i < n; ++i) {
    double value = i + n + 1.5;
    if (i % 4 == 1 && i % 3 == 1) value += 3;
    value += i % 2 ? 1.0 : 0.5 * (i < 7 ? i : 7);
    value += 2.0 * i + 1 + 3 + (double)offset;
    out[i] = negate && mask[i] ? -value : value;
  }
}
