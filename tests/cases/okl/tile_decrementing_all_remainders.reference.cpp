void downwards(int *out) {
  for (int step = 1; step <= 4; ++step)
    for (int n = 0; n < 18; ++n)
      for (int i = n - 1; i >= 0; i -= step) out[(step * 18 + n) * 18 + i] += 1;
}
void exclusiveBound(int *out) {
  for (int step = 1; step <= 4; ++step)
    for (int n = 0; n < 18; ++n)
      for (int i = n; i > 0; i -= step) out[(step * 18 + n) * 18 + i - 1] += 1;
}
void constantSteps(const int n, int *out) {
  for (int i = n - 1; i >= 0; --i) out[i] += 1;
  for (int i = n; i > 1; i -= 3) out[i] += 10;
  for (int i = n; i > 0; i--) out[i] += 100;
}
