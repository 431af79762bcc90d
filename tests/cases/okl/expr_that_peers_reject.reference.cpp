void expressions(const int n, const int *a, float *out) {
  for (int i = 0; i < n; ++i) {
    int sum = a[0] + a[i] - (a[1] - a[i] * a[i]);
    sum += i < 2 ? 1 : i < 4 ? a[i] : i > 8 ? (i % 2 ? -1 : -2) : 7;
    const int flag = (i % 2 == (sum & 1) && sum >= 0) || i == 5;
    out[i] = 0.5f * (i + 3 * sum + 8 + 80 + 8 + flag + 3 * i + 1 + (sum != 0));
  }
}
