void counted(const int n, int *out) {
  auto s = [](int i) { return i / 4 * 4 + (i % 3 == 0 && i >= 3 && i < 33 ? 1000 : 0) + (i % 3 == 0 && i <= 30 ? 20000 : 0); };
  for (int k = 0; k < 10 * n; ++k) {
    const int i = k % 10;
    *out++ = s(i), *out++ = s(39 - i), *out++ = s(10 + i), *out++ = s(29 - i);
  }
}
