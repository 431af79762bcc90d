void updates(const int n, int *out) {
  // a is 5, then 6 and 7; b is 5, 4, 11, and 10; c is 4 - 11.
  int a = 7 + 2, b = 10;
  a = a * 4 / 3 % 7;
  ++a, b += a;
  const int d = 4 * n - 3, e = 2 * n - 3;
  const int values[9] = {a, b, -7, (int) ((((0xffu & ~0x81u) ^ 0xff00u) << 2) >> 1), d, e, a + b, (int) ((7.5 + n - 0.5) * 100), 6};
  for (int k = 0; k < 9; ++k) out[k] = values[k];
  for (int c = 1; c < 4; ++c) out[9 + c] = c;
}
