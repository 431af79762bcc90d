static void add(int *out, int g0, int g1, int i0, int i1, int what) {
  for (int g = g0; g < g1; ++g)
    for (int i = i0; i < i1; ++i) out[20 * g + i] += what;
}
void bounds(const int n, const float f, const unsigned char small, int *out) {
  add(out, 0, n + 1, 0, (int) (f * 2), 1);
  add(out, 0, n / 2 * 2, 0, n < 6 ? n : 6, 2);
  add(out, n % 2, n | 1, 0, 9, 4);
  add(out, n / 4, 3, (small + 10) % 256, 4 + 2, 8);
  add(out, 0, n, 0, n > 3 ? 5 : 7, 16);
  add(out, 0, n & ~1, 0, n * 3 % 7 + 1, 32);
}
