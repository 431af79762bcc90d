void layout(const int n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] = k / 4 - k % 4 - 2 + 3 + k % 4 + k / 4;
}
struct pair {
  int a;
  double b;
};
void words(const unsigned int n, const pair p, const float *a, double *out) {
  for (unsigned int k = 0; k < 2 * n; ++k) out[k] = a[k % n] * p.b + p.a;
}
