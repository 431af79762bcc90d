void tickets(const int groups, int *counters, int *out) {
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = 10 * counters[3 * g] + i;
    counters[3 * g] += 1;
  }
}

void drawn(const int groups, int *counters, int *out) {
  for (int g = 0; g < groups; ++g) {
    counters[3 * g + 1] += 2;
    counters[3 * g + 2] += counters[3 * g + 1];
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = counters[3 * g + 1] + i;
  }
}

void looked(const int groups, int *counters, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = counters[3 * g] - i;
}
