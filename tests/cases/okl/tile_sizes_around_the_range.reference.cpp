void around(const int from, const int to, int *out) {
  for (int i = from; i < to; ++i) out[i] += i + 1000;
}
