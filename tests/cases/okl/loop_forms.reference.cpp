void decrementing(const int n, int *out) {
  for (int g = n; g > 0; --g)
    for (int i = 7; i >= 0; i--) out[8 * (g - 1) + i] += 1;
}

void inclusive(const int first, const int last, int *out) {
  for (int g = first; g <= last; g++)
    for (int i = 1; i <= 5; ++i) out[6 * g + i] += 1;
}

void stepThree(const int n, int *out) {
  for (int g = 1; g < n; g += 3)
    for (int i = 10; i > 0; i -= 3) out[11 * g + i] += 1;
}

void reversedOperands(const int n, int *out) {
  for (int g = 0; n > g; g = g + 2)
    for (int i = 6; 0 <= i; i = i - 1) out[7 * g + i] += 1;
}

void unequal(const int n, int *out) {
  for (int g = 0; g != n; ++g)
    for (int i = 4; i != 0; --i) out[5 * g + i] += 1;
}

void expressions(const long start, const unsigned int step, const int n, int *out) {
  for (long g = start + 1; g < start + 1 + 2 * (n / 2); g += step)
    for (unsigned int i = 0u; i < 4u * 2u; i += 2u) out[8 * (g - start) + i] += 1;
}

void tiles(const int n, int *up, int *down, int *closed) {
  for (int i = 2; i < n; i += 3) up[i] += 1;
  for (int i = n - 1; i >= 0; i -= 2) down[i] += 1;
  for (int i = 0; i <= n - 1; ++i) closed[i] += 1;
}
