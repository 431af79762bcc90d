void variables(const int rows, const int columns, const int *in, int *out) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int b = 6 * (r * columns + c);
      for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 3; ++k) out[b + i] += in[b + (i + c + k) % 6] * (1 << k) + 10 * k + (k == 1 ? r : 0) + c;
    }
}
