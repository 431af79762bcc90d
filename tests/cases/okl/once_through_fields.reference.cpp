void stored(const int groups, int *counters, const int *, int *out) {
  for (int g = 0; g < groups; ++g) {
    counters[g] += 5 + 3 * 3;
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = 3 + i;
  }
}

void viewed(const int groups, int *counters, const int *values, int *out) {
  for (int g = 0; g < groups; ++g) {
    counters[g] += values[g] + 1;
    for (int i = 0; i < 8; ++i) out[g * 8 + i] = 4 + i;
  }
}
