void chosen(const int groups, int *a, int *b) {
  for (int g = 0; g < groups; ++g) {
    a[0] += 1 + 3 + 5 + 7, b[0] += 2 + 4 + 6;
    a[1 + 2 * g] = 1 + 2 + 4 + 5 + 7, a[2 + 2 * g] = 3 + 6;
  }
}
