// Sequential reference for tiled_matmul.okl.

void multiplyTiled(const int rows, const int columns, const int depth, const float *A,
                   const float *B, float *C) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < depth; ++k) {
        sum += A[row * depth + k] * B[k * columns + column];
      }
      C[row * columns + column] = sum;
    }
  }
}
