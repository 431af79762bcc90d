void k(int n, int blocks, int kb, int *a) {
  for (int b = 0; b < blocks; ++b) if (b != kb) for (int y = 0; y < 8; ++y) for (int x = 0; x < 8; ++x)
    if (kb * 8 + y < n && b * 8 + x < n) a[b * 64 + y * 8 + x] = 63 - y * 8 - x;
}
