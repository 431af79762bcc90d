void lengths(const int rows, const int *length, int *out) {
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < length[r]; ++k) out[8 * r + k] += 11;
}
