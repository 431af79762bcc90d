void downTo(const unsigned n, const unsigned long m, int *out) {
  const int N = n, M = m;
  for (int k = 0; k < N * M; ++k) out[k] += 1;
  for (int g = N - 1; g >= 2; g -= 2)
    for (int i = M; i >= 2; i -= 2) out[g * M + i - 1] += 10;
  for (int g = N; g > 2; g -= 3)
    for (int i = M; i > 1; i -= 2) out[(g - 1) * M + i - 1] += 100;
}
