void max(const int n, double *o) {
  for (int i = 0; i < n; ++i) {
    const double v = i < 5 ? -o[i] : o[i];
    o[i] = v < 3.0 ? v : 3.0;
  }
}
void shifted(const int n, const double sin, double *o) {
  for (int i = 0; i < n; ++i) o[i] = sin + i + 0.25;
}
