void moments(const int n, int *out) {
  for (int i = 0; i < n; ++i) {
    out[i] += 5 + 20 + 2;
    int count = 10, step = 1;
    for (; step <= n; step *= 2) {
      count += step;
      if (i % step == 0) out[i] += 100 * count + step;
    }
    out[i] += 10000 * i + step;
  }
}
