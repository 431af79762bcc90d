void sixLoops(const int a, const unsigned b, const long c, int *out) {
  for (int x = 1; x <= a; ++x)
    for (int y = 0; y < (int) b; y += 2)
      for (int z = 1; z <= c; ++z)
        for (int i = 0; i < 2; ++i)
          for (int j = 1; j <= 3; ++j)
            for (int k = -2; k < 2; ++k) *out++ = x + 10 * y + 100 * z + 1000 * i + 10000 * j + 100000 * k;
}
