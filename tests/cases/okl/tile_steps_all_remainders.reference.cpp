void upwards(int *out) {
  for (int step = 1; step <= 5; ++step)
    for (int n = 0; n < 20; ++n)
      for (int i = 0; i < n; i += step) out[(step * 20 + n) * 20 + i] += 1;
}
void inclusive(int *out) {
  for (int step = 1; step <= 5; ++step)
    for (int n = 0; n < 20; ++n)
      for (int i = 2; i <= n; i += step) out[(step * 20 + n) * 20 + i] += 1;
}
void constantSteps(const int n, int *out) {
  for (int i = 0; i < n; i += 2) out[i] += 1;
  for (int i = 1; i < n; i += 3) out[i] += 10;
  for (int i = 0; i < n; i += 16) out[i] += 100;
  for (int i = 5; i < n; i += 7) out[i] += 1000;
}
