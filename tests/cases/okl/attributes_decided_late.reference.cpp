void attributes_decided_late(const int n, const int *in, int *out, int *sums) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) out[i + 6 * g] = in[6 * g + 5 - i] + i * g;
  for (int i = 0; i < n; ++i) sums[1 + 2 * i] += i;
}
