static int top(const int *p, const int *q) {
  int sum = 0;
  for (int k = 0; k < 3; ++k) sum += 3 * (p[k] - q[2 - k]) * (k + 1);
  return sum;
}
static int other(const int *p) { return 3 * p[1]; }
void chains(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    const int *a = in + 3 * g, s[6] = {a[0], -a[0], a[1], -a[1], a[2], -a[2]};
    for (int i = 0; i < 3; ++i) {
      const int own[3] = {i, -i, 5};
      *out++ = top(s, own) + 10 * top(a, s + 1) + 100 * top(own, in) + other(s) - other(own) + 2 * other(in);
    }
  }
}
