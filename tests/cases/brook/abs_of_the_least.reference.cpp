static int magnitude(unsigned x) { return x >> 31 ? (int)(0u - x) : (int)x; }

void least(Stream<int> a, int n, Stream<int4> o, Stream<int> count) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const unsigned u = (unsigned)a[i];
    const int w[4] = {magnitude(u), magnitude(u + (unsigned)n), magnitude((unsigned)n), magnitude(u - 1u)};
    o[i] = {w[0] < 0 ? w[0] ^ 1 : w[0], w[1] < 0 ? w[1] ^ 1 : w[1], w[2] < 0 ? w[2] ^ 1 : w[2], w[3] < 0 ? w[3] ^ 1 : w[3]};
    count[i] = (w[0] < 0 ? 1 : 0) + (w[1] < 0 ? 2 : 0) + ((int)((unsigned)w[0] + 5u) > 4 ? 4 : 0);
  }
}

static int greater(int a, int b) { return a < b ? b : a; }
static int lesser(int a, int b) { return a < b ? a : b; }

void greatest(Stream<int> a, Stream<int> b, Stream<int> one, Stream<int2> two, Stream<int> clipped) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = magnitude((unsigned)a[i]), y = magnitude((unsigned)b[i]);
    one[i] = greater(a[i], y);
    two[i] = {greater(a[i], y), greater(b[i], x)};
    const int most = greater(x, (int)(0u - (unsigned)b[i])), least = lesser(y, (int)(0u - (unsigned)a[i]));
    clipped[i] = (int)((unsigned)most - (unsigned)least);
  }
}
