void apart(const int a, const int b, int *count) {
  for (int g = 0; g < b; ++g) {
    for (int i = 6; i < a; ++i) count[80 * g + i] += 1;
    for (int i = 0; i < b; ++i) count[80 * g + 20 + i] += 1;
    for (unsigned int i = b; i > 9; i -= 2) count[80 * g + 40 + i] += 1;
  }
}
