// Sequential reference for tunable_matmul.okl.

void product(const int n, const float *a, const float *b, float *c) {
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}
