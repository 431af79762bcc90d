void gather(const int n, const float *values, const int *rows, const int *columns, float *out) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 4; ++i) {
      const int *row = rows + 4 * j;
      const float a = values[columns[row[i] % 5] + 5 * row[(columns[i] + 1) % 4]];
      const float b = values[row[columns[0] % 4] % 5 + 5 * columns[columns[columns[i]]]];
      out[4 * j + i] = (a + b) + 1.0f;
    }
}
