void lists(const int n, float *y) {
  for (int i = 0; i < n; ++i) {
    const float made = 2.0f + (i > 3 ? i : 7) + (i > 3 ? 0 : 2);
    const float of_q = (i % 2 ? 5 : 1) + 3 + 0 + (i % 2 ? 0 : 4) + 0 + 7 + 0;
    y[i] = of_q + 0 + i + 0 + 2 + 0 + 3 + 0 + (i % 8 == 7) + made + i + (i % 2 ? 2 : 1) + (i % 2 ? 3 : 0);
  }
}
