void permutations(const int nx, const int ny, long *out) {
  for (int a = 0; a < nx * ny * 2; ++a)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 4; ++k, ++out)
          for (int r = 0; r < 6; ++r) *out += 10 * *out + (i + j + k) % 3;
}
