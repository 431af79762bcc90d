void iterateUntil(const int n, const int limit, double *x, int *rounds) {
  for (int b = 0; b < n; ++b) {
    double sum = 0;
    rounds[b] = 0;
    for (int step = 0; step < 10; ++step) {
      sum += step + b;
      ++rounds[b];
      if (step + b > limit) break;
    }
    for (int i = 0; i < 8; ++i) x[8 * b + i] = sum + i;
  }
}
