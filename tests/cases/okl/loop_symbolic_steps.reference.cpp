void strided(const int n, const int step, const long wide, int *out) {
  for (int g = 0; g < n; g += step)
    for (int i = step; i < step * 7 - 2; i += 2 * step - 1) out[50 * g + i] += 1;
  for (int g = n - 1; g >= 0; g -= step + 1)
    for (long i = 4 * wide + 1; i >= 0; i -= wide) out[50 * g + i] += 10;
}
