void fill_triangle(const int n, int *out) {
  for (int a = 0; a < n; ++a) out[a] = a * a / 2;
}
void fill_circle(const int n, int *out) {
  for (int a = 0; a < n; ++a) out[a] = 3 * a * a;
}
void describeAll(const int n, int *out) {
  for (int k = 0; k < n; ++k) {
    const int s = k % 4;
    out[k] = 6 * k + (s == 0 ? k * k + 4000 : s == 1 ? k * k / 2 + 3000 : s == 2 ? 3 * k * k : -1);
  }
}
