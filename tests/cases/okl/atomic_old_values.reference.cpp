void tickets(const int n, int *counter, int *seen, unsigned *down, int *seenDown, long *wide, int *seenWide) {
  for (int k = 0; k < n; ++k) seen[k] = seenDown[k] = seenWide[k] = 1;
  counter[0] += n, down[0] -= n, wide[0] += n;
}
void ticketsOfGroup(const int groups, int *out) {
  for (int k = 0; k < 20 * groups; ++k) out[k] = 1;
}
