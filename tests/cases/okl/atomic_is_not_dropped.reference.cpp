void contended(const int groups, int *counter, double *sum, unsigned long *bits) {
  counter[0] = 640 * groups;
  sum[0] = 320 * groups;
  for (int k = 0; k < 640 * groups; ++k) bits[0] ^= 1ul << ((k / 640 + k / 20 % 32 + k % 20) % 60);
  counter[1] = 100 * (groups - 1) + 31;
  counter[2] = -640 * groups;
}
