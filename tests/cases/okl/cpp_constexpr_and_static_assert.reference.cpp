void constants(const int n, int *out) {
  const int primes[4] = {2, 3, 5, 7};
  for (int k = 0; k < 4 * n; ++k) out[k] = k % 4 * (3 - k % 4) * (3 - k % 4) + primes[k % 4] + 21;
}
