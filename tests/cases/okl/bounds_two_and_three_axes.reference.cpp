void boxes(const int n, const int width, int *out) {
  for (int g = 0; g < n; ++g, out += 32) {
    for (int y = 0; y <= g % 4; ++y)
      for (int x = 0; x < width; ++x) out[8 * y + x] += 10 * y + x;
    for (int z = g % 3; z < 4; ++z)
      for (int x = 0; x <= g % 2; ++x)
        for (int y = g % 3; y < 3; ++y) out[8 * z + 4 * x + y] += 1000;
  }
}
