void chain(const int n, const int mode, const float f, int *out) {
  int sum = 0;
  if (mode == 0) sum += 1;
  else if (mode > 0 && f > 0.5f) sum += mode % 2 ? 10 * mode + 3 : 10 * mode;
  else if (mode >= -5 && f != 0.25f) sum += 1000;
  if (mode) sum += 10000;
  for (int i = 0; i < n; ++i) out[i] += sum;
}
