void tables(const int n, const int *in, const float *rows, const int *more, float *out) {
  const int primes[5] = {2, 3, 5, 7, 11};
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 5; ++i) {
      int sum = i + 10 + primes[i % 2 + 1] + (g % 2 ? 4300 : 21) + more[0] + more[1] + 11 * i + 22 + 42;
      for (int k = 0; k < 5; ++k) sum += in[5 * g + k] + primes[k] + (k < i ? primes[k] + in[k] : 0);
      *out++ = sum + (g % 2 ? 5.5f : 2.5f) + rows[2];
    }
}
