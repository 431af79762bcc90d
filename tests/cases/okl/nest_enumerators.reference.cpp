enum { top = 6, rest = 2 };
const int M = 2;

void hidden(int *b) {
  for (int o = 0; o < 2; ++o) {
    enum { top = 3 };
    for (int i = 0; i < top; ++i) b[o * 3 + i] = top;
  }
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < top; ++i) b[8 + o * 6 + i] = top;
}

void counted(int *b) {
  for (int o = 0; o < rest; ++o) {
    enum Mine { zero, M, two, big = 2 * two + M } mine = two;
    enum { after = big + 1 };
    for (int i = 0; i < after; ++i) b[o * 6 + i] = mine + M + 10 * after;
  }
  for (int o = 0; o < M; ++o)
    for (int i = 0; i < rest; ++i) b[16 + o * 2 + i] = M;
}
