void rows_of(const int n, const float *A, float *B) {
  for (int i = 0; i < n; i += 16)
    for (int j = 0; j < 16; ++j) B[i + j] += 3 + 3 + A[i + j / 4 * 4 + 2] + A[4 + 2] + j / 4;
}
