static int magnitude(unsigned x) { return x >> 31 ? (int)(0u - x) : (int)x; }

void least(Stream<int> a, int n, Stream<int4> o, Stream<int> count) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const unsigned u = (unsigned)a[i];
    const int w[4] = {magnitude(u), magnitude(u + (unsigned)n), magnitude((unsigned)n), magnitude(u - 1u)};
    o[i] = {w[0] < 0 ? w[0] ^ 1 : w[0], w[1] < 0 ? w[1] ^ 1 : w[1], w[2] < 0 ? w[2] ^ 1 : w[2], w[3] < 0 ? w[3] ^ 1 : w[3]};
    count[i] = (w[0] < 0 ? 1 : 0) + (w[1] < 0 ? 2 : 0) + ((int)((unsigned)w[0] + 5u) > 4 ? 4 : 0);
  }
}
