void sizes(const int n, float *y) {
  const float w[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) {
    const float *half = w + i % 2 * 2;
    y[i] = w[i % 4] + w[1 + i % 3] + half[i % 2] + half[1] + (5 + i % 3 + 8) + 16 + 16 + 4 + 2.5f + (1 + i % 3);
  }
}
