void add_all(const int n, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = (i + 3) + (i * 2 + i) + 2 * i + (i + i * 2) + 100 * i + i + 3 * i / 2.0f + (2 * i + 2) / 2.0f;
}
