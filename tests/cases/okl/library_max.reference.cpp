void max(const int n, double *o) {
  for (int i = 0; i < n; ++i) {
    const double v = i < 5 ? -o[i] : o[i];
    const double most = o[i] - 40 > 3.0 ? o[i] - 40 : 3.0;
    o[i] = v < most ? v : most;
  }
}
void shifted(const int n, const double sin, double *o) {
  for (int i = 0; i < n; ++i) o[i] = sin + i + 0.25;
}
