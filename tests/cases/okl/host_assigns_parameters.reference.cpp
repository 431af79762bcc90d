void countdown(int n, float scale, unsigned char small, int *out) {
  small = (small + 10) % 256;
  n = n / 2 + 1;
  for (int i = 0; i < n; ++i) out[i] += n + small;
  while (n > 2) {
    n -= 3, scale *= 0.5f;
    for (int i = 0; i < 8; ++i) out[i] += 1000 * n + (int) (scale * 64.0f) + 100 * (n + i);
  }
}
