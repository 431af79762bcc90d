void helpers(const int n, const float *a, const float *b, float *out, int *codes) {
  const int primes[5] = {2, 3, 5, 7, 11};
  for (int i = 0; i < n; ++i) {
    out[i] = a[i] + (b[i] - a[i]) * (0.25f * 0.25f);
    codes[i] = primes[i % 5] * 100 + (i < 10 ? 10 : i > 20 ? 20 : i);
  }
}

void sharedHelper(const int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g) {
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) out[8 * g + i] = sum += in[8 * g + i];
  }
}
