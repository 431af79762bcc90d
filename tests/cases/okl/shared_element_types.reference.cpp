void types(const int n, double *out) {
  for (int g = 0; g < n; ++g)
    for (int r = 0; r < 8; ++r) {
      double sum = (r + g != 0) - 100 - r;
      sum += (250 + r) % 256;
      const int s = -30000 - 1000 * r;
      sum += s < -32768 ? s + 65536 : s;
      sum += 4000000000.0 + r;
      sum += 5e9 * r;
      sum += 0.5 * r;
      sum += 0.125 * r;
      sum += r * (1.0 / (1 << r));
      sum += r % 2 ? 5 : 9;
      out[8 * g + 7 - r] = sum;
    }
}
