void lists(const int n, float *y) {
  for (int i = 0; i < n; ++i) {
    const float of_variables = i + 0 + 5 + 2 + 0 + i + 2.5f + i + 2 + 0 + i + 0;
    const float of_calls = 1.5f + i + 0 + (1 + i) + i + (1 + i + 0) + 2 * i + (1 + 0 + i) + (i + 2.5f);
    y[i] = of_variables + of_calls;
  }
}
