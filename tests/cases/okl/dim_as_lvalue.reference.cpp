struct Pair {
  int low, high;
};
void lvalues(const int n, int *a, Pair *pairs) {
  for (int g = 0; g < n; ++g, a += 8, pairs += 2) {
    a[0] += 5, a[1] -= 6;
    const int third = a[2] * 3;
    a[2] = a[3] * 4;
    a[3] = third;
    a[4] += 1;
    a[5] += 99;
    a[6] = a[7] = a[0] % 7;
    a[6] += 4 - a[1] * (a[2] == 0);
    pairs[0].low = pairs[1].high + g;
    pairs[1].low++;
    pairs[1].high += a[0];
  }
}
