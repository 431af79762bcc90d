void signs(const int n, int *out) {
  for (int g = n - 1; g >= 0; g -= 2)
    for (int i = 0; i < 9; i += 4) out[9 * g + i] += 1;
}
