void tickets(const int n, const int rounds, int *count, int *state, int *out) {
  for (int g = 0; g < n; ++g) {
    const int ticket = count[g];
    count[g] += 1;
    int total = 100;
    for (int round = 0; round < rounds; ++round) {
      total -= 3;
      for (int i = 0; i < 8; ++i) out[8 * g + i] += ticket + 10 * state[g] + 1000 * total + i;
      state[g] += round + 2;
    }
    for (int i = 0; i < 5; ++i) out[8 * g + i] += 100000 * total;
  }
}
