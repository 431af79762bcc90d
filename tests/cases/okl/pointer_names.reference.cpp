void names(const int n, const float *A, float *C, float *B, float *D) {
  for (int k = 0; k < n; ++k) C[k] = 2 * A[k];
  for (int i = 0; i < n; i += 16) {
    const float *s = A + i;
    auto t = [&](int k) { return s[k] * k; };
    for (int j = 0; j < 16; ++j) {
      B[i + j] = s[2] + t(2) + s[2] + s[6] + s[1] + s[1] + t(1) + s[2] + t(2) + s[3] + t(3) + t(1) + s[j] + 2 * s[0] + s[j];
      D[i + j] = s[3] + t(3) + 2 * s[2] + t(5) + t(4) + s[j] + t(j) + s[1] + s[1] + t(1) + s[(j & 1) + 2] + s[(j & 1) + 4];
    }
  }
}
