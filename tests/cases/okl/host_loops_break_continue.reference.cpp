void loops(const int n, int *out) {
  int sum = 0;
  for (int k = 0; k <= n; k += 2) sum += k + 1;
  int rounds = n;
  while (rounds > 0) {
    rounds -= 2;
    if (rounds == 3) continue;
    sum += 100 * rounds;
    if (rounds < 2) break;
  }
  do {
    ++rounds;
    sum += 1000;
  } while (rounds < 4);
  for (int low = 0, high = n; low < high; ++low, high -= 2) sum += 10000 * (high - low);
  // a is 1, 2, and 8 after its rounds.
  sum += 1000000 * (1 + 2 + 8) + 3;
  for (int i = 0; i < 6; ++i) out[i] += sum;
}
