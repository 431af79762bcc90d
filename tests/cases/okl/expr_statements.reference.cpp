static int steps(int sum, int v) {
  while (v > 0) {
    v /= 2;
    if (v == 3) return sum;
    do ++sum;
    while (sum % 7 && sum % 3);
  }
  return sum + 1000;
}
void statements(const int n, const int *in, int *out) {
  for (int k = 0; k < n; ++k) {
    // In case 2, round 0 adds nothing and round 2 adds 102.
    const int v = in[k], start[5] = {11, 10, 102, -v, -v};
    int sum = steps(start[v % 5], v);
    do ++sum;
    while (sum % 2 == 0);
    // The two meet at 3 and 2.
    out[k] = (sum + 3) * 10 + 2;
  }
}
