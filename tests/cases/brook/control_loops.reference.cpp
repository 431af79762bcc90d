void primes(Stream<int> n, Stream<int> count, Stream<int> last) {
  for (unsigned k = 0; k < n.size(); ++k) {
    count[k] = last[k] = 0;
    for (int i = 2; i <= n[k]; ++i) {
      int divisors = 0;
      for (int j = 1; j <= i; ++j) divisors += i % j == 0;
      if (divisors == 2) ++count[k], last[k] = i;
    }
  }
}

void collatz(Stream<int> n, Stream<int> steps) {
  for (unsigned k = 0; k < n.size(); ++k) {
    steps[k] = 0;
    for (int m = n[k]; m != 1; ++steps[k]) m = m & 1 ? 3 * m + 1 : m >> 1;
  }
}

void once(Stream<int> n, Stream<int> o) {
  for (unsigned k = 0; k < n.size(); ++k) {
    o[k] = 0;
    for (int i = 1; i == 1 || i <= n[k]; ++i)
      if (i % 3 && o[k] <= 50) o[k] += i;
  }
}

void two_counters(Stream<float> a, Stream<float> o) {
  for (unsigned k = 0; k < a.size(); ++k) {
    float sum = 0, x = a[k];
    for (int i = 0; i < 5; ++i, x /= 2)
      if (x > 0.5f) sum += x;
    while (++sum <= 100) sum *= 2;
    o[k] = sum;
  }
}
