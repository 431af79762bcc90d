void declares(const int n, const int mode, double *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) out[6 * g + i] = 0.25 * (i % 3) + 5 + g + 8 + (mode == 0 ? 12 : 0);
}
void other(const int n, double *out) {
  for (int i = 0; i < n; ++i) out[i] += 100;
}
