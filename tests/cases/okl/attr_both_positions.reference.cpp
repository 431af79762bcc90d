void both(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const float *row = in + 8 * g;
      const float x = i, y = x + 1.0f;
      out[8 * g + i] = row[7 - (i + 1) % 8] - 2.0f * row[7 - (i + 2) % 8] + x * y;
    }
}

void bothTiles(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 11;
}

void bothBounds(const int n, int *out) {
  for (int g = 0; g < n; ++g) {
    for (int i = 0; i < g % 5; ++i) out[4 * g + i] += 1;
    for (int i = 0; i < g % 3; ++i) out[4 * g + i] += 10;
  }
}
