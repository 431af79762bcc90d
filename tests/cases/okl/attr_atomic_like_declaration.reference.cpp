void looksLike(const int n, int *p, int *q) {
  for (int i = 0; i < n; ++i) {
    ++p[0], ++q[0], ++p[1], --q[1];
    p[2] |= 1 << (i % 8);
    ++q[2];
    (i % 3 == 0 ? p : q)[3] += i;
    p[4] += 1;
    p[5] += 2;
  }
}
