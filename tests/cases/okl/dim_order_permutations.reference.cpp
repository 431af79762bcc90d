// The first number of an order names the fastest index.
static void one(int *to, int p, int q, int r) {
  const int size[3] = {3, 4, 5};
  int x[3];
  for (x[0] = 0; x[0] < 3; ++x[0])
    for (x[1] = 0; x[1] < 4; ++x[1])
      for (x[2] = 0; x[2] < 5; ++x[2])
        to[x[p] + size[p] * (x[q] + size[q] * x[r])] = 100 * x[0] + 10 * x[1] + x[2];
}
void permuted(int *a, int *b, int *c, int *d, int *e, int *f) {
  one(a, 0, 1, 2), one(b, 0, 2, 1), one(c, 1, 0, 2), one(d, 1, 2, 0), one(e, 2, 0, 1), one(f, 2, 1, 0);
}
