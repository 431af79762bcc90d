const int widths[4] = {3, 5, 2, 7};
const int N = 9;

// A loop that fills, one that sums up; a constant of the function as a size.
int triangle(const int n) {
  const int rows = 2 * 4;
  int counts[rows], total = 0;
  for (int k = 0; k < rows; ++k) counts[k] = k + 1;
  for (int k = 0; k < rows; ++k) {
    if (k >= n) break;
    total += counts[k];
  }
  return total;
}

// Lists: shorter than the array, of rows, with values that are computed; `continue`, `while`, `do`.
int listed(int n, const float scale) {
  const int odd[] = {1, 3, 5, 7, 9};
  int grid[3][4] = {{n, 2}, {0}, {4, 5 * n, 6, (int)(scale * 7)}};
  unsigned char bytes[6] = {250, 'a', (unsigned char)(n > 3 ? 1 : 2)};
  bytes[0] += 10;
  --bytes[5];
  int sum = 0, at = 0;
  while (at < (int)(sizeof(odd) / sizeof(odd[0]))) {
    if (odd[at++] == 5) continue;
    sum += odd[at - 1];
  }
  do {
    grid[1][--at - 1] ^= n;
  } while (at > 2);
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++) sum += grid[y][x] * (x + 1);
  for (int i = 0; i < 6; ++i) sum += bytes[i];
  return sum % 50;
}

// Sieve of primes; names that mean other things outside of the function.
int primes(int n) {
  bool widths[64] = {true, true};
  short found[32];
  int N = 0;
  for (int p = 2; p < n && p < 64; ++p) {
    if (widths[p]) continue;
    found[N++] = p;
    for (int m = 2 * p; m < 64; m += p) widths[m] = true;
  }
  {
    long widths[2] = {N, 0};
    widths[1] = widths[0]++ * 2;
    N = (int)(widths[0] + widths[1]);
  }
  return N > 0 ? N + found[0] : 0;
}

// A table of the file by its name, a function by another, a switch.
int chosen(int n, int widthOf) {
  int picks[2][2] = {{1, 2}, {3, 0}};
  switch (n % 3) {
  case 0: {
    int more[3] = {n, n + 1};
    picks[1][1] = more[1] + more[2];
    break;
  }
  case 1:
    picks[0][1] = picks[1][0] = widths[n % 4];
    break;
  default:
    picks[n & 1][0] <<= 2;
  }
  int best = 0;
  for (int i = 0; i < 4; ++i) {
    const int value = picks[i / 2][i % 2] + triangle(widthOf);
    best = best > value ? best : value;
  }
  return best;
}

void bounds(const int n, int *out) {
  for (int b = 0; b < triangle(n); ++b)
    for (int i = 0; i < 4; ++i) out[4 * b + i] += 1 + primes(n + i);
  for (int i = listed(n, 0.5f); i < 60 + primes(n); ++i) out[i] += 100 + N;
}

void around(const int n, int *out) {
  int last = 0;
  for (int round = 0; round < primes(3 * n) - 5; ++round) {
    const int from = listed(round, 1.5f);
    for (int b = from; b < from + chosen(round, 2); ++b)
      for (int i = 0; i < triangle(2); ++i) out[3 * b + i] += 1 + round;
    last += chosen(n + round, round % 3);
  }
  if (last > 3)
    for (int i = 0; i < last % 64; ++i) out[i] += 1000;
}
