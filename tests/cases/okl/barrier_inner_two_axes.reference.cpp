void planes(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 24, out += 24)
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x) {
          int sum = 0;
          for (int k = 0; k < 3; ++k) sum += in[12 * (1 - z) + 4 * k + x] + in[12 * (1 - z) + 4 * k + 3 - x];
          out[12 * z + 4 * y + x] = sum;
        }
}
