void aliases(const int n, const float *A, float *B) {
  for (int k = 0; k < n; ++k) {
    const float a = A[k];
    B[k] += 1 + a;
    B[k] += (2 * a + 1) + 3 * a + 1 + (a + 1) + 2 + a + 2 + A[k % 16];
  }
}
