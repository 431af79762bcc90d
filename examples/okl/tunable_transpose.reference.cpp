// Sequential reference for tunable_transpose.okl.

void transpose(const int n, const float *a, float *b) {
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) b[column * n + row] = a[row * n + column];
  }
}
