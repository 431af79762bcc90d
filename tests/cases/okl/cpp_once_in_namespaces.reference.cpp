void drawn(const int groups, int *counters, int *out) {
  for (int g = 0; g < groups; ++g) {
    counters[g] += 2;
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = 2 * counters[g] + i;
  }
}
