void behind(const int groups, int *sums, int *last) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 8; ++i) {
      sums[i / 2] += 2;
      sums[4] += 1;
      sums[5] += i;
      // Two items of each of four counters, twice.
      last[i % 2] += 4;
    }
}
