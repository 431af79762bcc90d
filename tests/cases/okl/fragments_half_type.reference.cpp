void product(const float *A, const float *B, float *C) {
  for (int g = 0; g < 2; ++g)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        float sum = -1;
        for (int k = 0; k < 16; ++k) sum += A[256 * g + 16 * i + k] * B[256 * g + 16 * j + k];
        C[256 * g + 16 * j + i] = sum;
      }
}
