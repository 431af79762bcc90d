void lists(const int n, float *y) {
  for (int i = 0; i < n; ++i) {
    const float of_zeros = 0 + 0 + 0 + 0, of_r = 2 + 50, of_f = i, of_s = i + 2, of_l = 3 + 0, of_g = 6 + 0;
    const float of_files = 200 + 4 + 5 + 6 + 0, of_made = i + 0, of_static = (i & 1 ? 4 : 2) + 16, of_w = 8 + 9;
    y[i] = of_zeros + of_r + of_f + of_s + of_l + of_g + of_files + of_made + of_static + of_w;
  }
}
