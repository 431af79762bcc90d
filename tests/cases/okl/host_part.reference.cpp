void smoothSteps(const int n, const int steps, int *a, int *b) {
  for (int step = 0; step < steps; ++step) {
    const int weight = 2 * step + 1;
    for (int i = 0; i < n; ++i) b[i] = a[(i + weight) % n] + weight;
    for (int i = 0; i < n; ++i) a[i] = b[i] - step;
  }
}

void choose(const int n, const float scale, float *x) {
  int rounds = n > 64 ? 3 : n % 3;
  for (; rounds > 0; rounds--)
    for (int i = 0; i < n; ++i) x[i] = x[i] * scale + rounds;
}
