void orders(const int n, int *out) {
  for (int g = 0; g < n; ++g)
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x) {
          const int code = 100 * (1 - z) + 10 * (2 - y) + 3 - x;
          out[24 * g + (z * 3 + y) * 4 + x] = code + 1 + 7 * code + g + 1000;
        }
}
