void ends(const unsigned start, const long base, int *out) {
  for (int i = 0; i < (int) (4294967295u - start); ++i) out[i] += 1;
  for (int i = 0; i < 6; i += 2) out[i] += 10;
  for (int i = 0; i < 9; ++i) out[i] += 2 * base % 1000;
  for (int i = 0; i < 10; i += 3) out[i] += 1000;
}
