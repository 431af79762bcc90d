struct Pair { int a; };

void large(const int n, int *x) {
  struct Pair { int a, b; };
  for (int o = 0; o < 1; ++o)
    for (int i = 0; i < 32; ++i) {
      Pair *all = (Pair *) x;
      all[i % 2].a += i;
    }
}
void small(const int n, int *x) {
  for (int o = 0; o < 1; ++o)
    for (int i = 0; i < 32; ++i) {
      Pair *all = (Pair *) x;
      const Pair one = {i};
      all[i % 4].a += one.a;
    }
}
