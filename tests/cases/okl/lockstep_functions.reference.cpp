static int collatz(int v, int most) {
  int step = 0;
  for (; v != 1 && step < most; ++step) v = v % 2 ? 3 * v + 1 : v / 2;
  return step;
}

static float halvings(float x) {
  if (x < 0) return x;
  if (x > 1e8f) return (x - 1.5f) * 2;
  int k = 0;
  for (; k < 12 && x > 1.5f; ++k) x /= 2;
  return k < 12 ? k : -x;
}

static double sums(double of, int left) {
  double sum = 0.25;
  long seen = 0;
  for (int round = 1;; ++round) {
    left -= 1;
    const bool odd = round % 2 == 1;
    bool moves = true;
    if (odd || of > 100) {
      sum += of;
      seen += left;
      if (sum > 1000) return odd ? seen - sum : -sum;
    } else if (left % 4 == 3) {
      of *= 2;
      moves = false;
    } else {
      sum -= of > 8 ? 0.5 : 1;
    }
    if (moves) of += 1.5;
    if (left <= 0 || seen >= 2000) return odd ? sum + seen : sum;
  }
}

void functions(const int n, const int most, const int *from, const float *x, int *steps, float *halved, int *squared,
               double *summed) {
  for (int i = 0; i < n; ++i) {
    steps[i] = collatz(from[i], most);
    halved[i] = halvings(x[i]);
    int grown = i % 7;
    while (grown <= 30000) grown = grown * grown + 1;
    squared[i] = grown - 1 + from[i];
    summed[i] = 2 * sums(x[i], from[i] % 50 + 1) + 1;
  }
}

void twice(const int n, const int *from, int *difference, int *nested) {
  for (int i = 0; i < n; ++i) {
    difference[i] = collatz(from[i], 1000) - collatz(from[i] + 1, 1000);
    nested[i] = collatz(collatz(from[i], 300) + 1, 300);
  }
}

void places(const int rows, const int columns, int *steps, int *chosen) {
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      steps[y * columns + x] = collatz(y * columns + x, 200);
      const int sum = (x > y ? collatz(x, 20) : 0) + collatz(y, 30) + collatz(y + 1, 30);
      chosen[y * columns + x] = sum + (x > 3 && collatz(x, 10) == 10);
    }
  }
}
