void tall(const int rows, unsigned char *a) {
  for (int y = 0; y < rows; ++y)
    for (int i = 0; i < 2; ++i) a[2 * y + i] = (unsigned char)(y % 251 + i);
}
