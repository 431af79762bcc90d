void sums(const int rows, const int wide, const int *range, const int *one, const int *values, int *out) {
  for (int r = 0; r < rows; ++r) {
    const int from = range[wide * r], to = range[wide * r + 1];
    int total = 0;
    for (int k = from; k < to; ++k) total += values[k];
    for (int k = from; k <= range[wide * (r + 1)] + range[2] - *one; ++k) out[k] += total + *one;
    for (int k = *one + from; k < to; ++k) out[k] += 1000;
  }
}
