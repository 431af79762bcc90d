void declares(const int n, const int mode, int *out) {
  int steps = 0, left = mode;
  for (int step = left / 2; step != 0; step = left / 2) {
    left -= step;
    if (step != 1) steps += step;
  }
  for (int i = 0; i < n; ++i) out[i] += mode % 4 + (mode / 2 > 2 ? mode / 2 * 1000 : -(mode / 2)) + 10000 * steps + (mode % 3 == 1 ? 1000000 : 0);
}
