void typedefMemory(const int groups, const float *in, float *out) {
  const int width = 16;
  for (int g = 0; g < groups; ++g) {
    const float *row = in + width * g;
    for (int i = 0; i < width; ++i) {
      const int other = (i + 3) % width;
      const float own = 2.0f * i + row[width - 1 - i];
      out[width * g + i] = own + row[other / 2 * 2 + 1 - other % 2];
    }
  }
}
