void rows(const int n, const float *x, float *o) {
  for (int r = 0; r < n * 4; ++r)
    for (int j = 0; j < 8; ++j) o[r * 8 + j] = x[r * 8 + 7 - j];
}

void several(const int n, const float *x, float *o) {
  for (int b = 0; b < n; ++b) {
    float s[3][2][8];
    for (int r = 0; r < 6; ++r) {
      float *row = s[r / 2][r % 2];
      for (int j = 0; j < 8; ++j) row[j] = x[b * 48 + r * 8 + j];
      // Element j + 1 is changed by nobody whose j is odd: j + 1 is even.
      for (int j = 1; j < 5; j += 2) row[j] += row[j + 1];
      for (int j = 0; j < 8; ++j) o[b * 48 + r * 8 + j] = row[7 - j] + x[b * 48 + r * 8 + j];
    }
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 8; ++j) o[b * 48 + k * 16 + i * 8 + j] += s[k][1 - i][j] + 100 * s[2 - k][i][j];
  }
}
