void declares(const int n, const int mode, double *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) {
      const double weight = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 1.5 : 1000;
      const double shift = i % 2 == 0 ? (i == 2 ? 2 : 1) : (i == 3 ? 0 : 3);
      out[6 * g + i] = 0.25 * (i % 3) + 5 + g + 8 + weight * shift + (mode == 0 ? 12 : 0);
    }
}
void other(const int n, double *out) {
  for (int i = 0; i < n; ++i) out[i] += 100;
}
