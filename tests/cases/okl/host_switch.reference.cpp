void choose(const int n, const int mode, int *out) {
  for (int i = 0; i < n; ++i) {
    int factor = 1;
    for (int m = mode; m < mode + 2; ++m) {
      if (m == -1 || m == 0) continue;
      if (m == 3) factor = 5;
      if (m == 3 || m == 4) out[i] += 10 * factor;
      else out[i] = 2 * (out[i] + (m != 5));
      out[i] += 1000;
    }
  }
}
