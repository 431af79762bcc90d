void untilDone(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int left = in[g], rounds = 0, sum = 0;
    for (; left > 0; left -= 3) sum += left, ++rounds;
    sum += left == 0 ? 1000 : 2000;
    if (left == 0) left = 50;
    for (int i = 0; i < 6; ++i) *out++ = sum + left + 10000 * rounds;
  }
}
