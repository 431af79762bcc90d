void siblings(const int n, int *x, int *t) {
  for (int i = 0; i < n * 32; ++i) {
    const int j = i / 4 % 8, k = i % 4;
    t[i] = 2 * j + k;
    for (int l = 0; l < 4; ++l) x[4 * i + l] = l + 1 + 10 * k;
  }
}

void unread(const int n, int *ab) {
  for (int i = 0; i < n * 64; ++i) ab[i] += i / 8 % 8 + i % 8;
}
