void product(const int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] += 2 * sum;
    }
}

void transposed(const int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 32; ++j) {
      double sum = 1;
      for (int k = 0; k < n; ++k) sum += A[k * n + i] * B[j * n + k];
      C[j * n + i] = sum;
    }
}

void kept(const double *A, double *C) {
  for (int g = 0; g < 2; ++g)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        double sum = A[256 * g + 16 * j + i];
        for (int k = 0; k < 16; ++k) sum += 4 * A[256 * g + 16 * i + k] * A[256 * g + 16 * k + j];
        C[256 * g + 16 * i + j] = sum;
      }
}
