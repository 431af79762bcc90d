// The sums, written out.
static int total(int n) {
  int own[3] = {n, 2 * n, 3}, sum = 0;
  for (int i = 0; i < 3; ++i)
    if (own[i] != 2) sum += own[i] + 1;
  sum += (10 + 20) * (n + 2 * n + 3);
  return sum + n / 2 + n + 1;
}
void over(int n, int *out) {
  for (int b = 0; b < total(n); ++b) out[b] += total(b % 3);
}
