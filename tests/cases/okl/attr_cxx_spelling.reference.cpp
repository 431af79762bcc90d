void transposePanel(const int panels, const float *in, float *out, int *count) {
  for (int p = 0; p < panels; ++p)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 6; ++x) {
        // The order (1, 0, 2): y is the fastest.
        out[y + 4 * (x + 6 * p)] = in[24 * p + 6 * (3 - y) + 5 - x] + 0.5f * (5 - x);
        ++*count;
      }
}

void scalePanel(const int n, float *panel) {
  for (int i = 0; i < 4 * n; ++i) panel[i] *= 2.0f;
}
