void unequal(const int n, int *up, int *down) {
  for (int i = 0; i < n; ++i) up[32 + i] += 1, down[33 + i] += 1, up[35 + i] += 10;
}
