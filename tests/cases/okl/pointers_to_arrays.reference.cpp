void rows(const int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 4; ++i) {
      // Rows of the small matrix: i + 1, and i + 5 with 10 more; the first of these with 3.5 and 3 more.
      int second = i + 5 + 10, first = i == 0 ? 15 : 5;
      first = int(first + (3.5f + 3.0));
      if (i == 0) second = first;
      out[g * 4 + i] = i + 1 + second + first + 6 + in[(g * 3 + 1) * 4 + i] + in[(g * 3 + 2) * 4 + 3 - i];
    }
}
