void explicitAxes(const int rows, const int columns, int *out) {
  int at = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 3; ++b)
          for (int d = 0; d < 2; ++d) out[at++] = 10000 * r + 1000 * c + 100 * a + 10 * b + d;
}

void onlyY(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) out[8 * g + i] = 100 * g + i;
}
