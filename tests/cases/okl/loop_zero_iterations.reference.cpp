void empty(const int rows, const int columns, const int height, const int width, int *out) {
  if (rows > 0 && columns > 0)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) out[0] = 1, out[1 + y * width + x] = 100 * y + x;
  if (rows > 0)
    for (int x = 0; x < 4; ++x) out[20 + x] = x < width ? x : -1;
}
