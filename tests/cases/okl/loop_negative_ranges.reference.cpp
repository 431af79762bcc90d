void below(const int from, const int to, int *out) {
  for (int y = from; y < to; ++y)
    for (int x = -3; x <= 3; x += 2) out[7 * (y + 10) + x + 3] += 10 * y + x;
  for (int y = to; y > from; y -= 2)
    for (int x = -1; x >= -6; x -= 2) out[7 * (y + 10) + x + 6] += 1000;
}
