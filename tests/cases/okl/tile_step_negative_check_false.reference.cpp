void unchecked(const int n, int *out) {
  for (int i = n - 1; i >= 0; i -= 2) out[i] += 1;
  for (int i = n; i > 0; i -= 4) out[i - 4] += 10;
}
