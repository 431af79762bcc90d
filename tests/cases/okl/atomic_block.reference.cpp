void critical(const int n, const float *values, float *best, int *where, int *count, int *order) {
  for (int k = 0; k < n; ++k) {
    if (values[k] > 0) {
      if (values[k] > best[0]) {
        best[0] = values[k];
        where[0] = k;
      }
      count[0] += 1;
      count[1] += 2;
    } else {
      count[2]++;
      count[3] = count[3] + count[2];
    }
  }
  for (int k = 0; k < n; ++k) order[k] = 0;
  order[0] = count[0] * (count[0] + 1) / 2;
}
