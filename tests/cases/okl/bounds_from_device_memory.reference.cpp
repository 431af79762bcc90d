void rowSums(const int rows, const int *starts, const int *values, int *out) {
  for (int r = 0; r < rows; ++r) {
    int total = 0;
    for (int k = starts[r]; k < starts[r + 1]; ++k) total += values[k];
    for (int k = starts[r]; k < starts[r + 1]; ++k) out[k] = total + values[k];
  }
}
