void smoothStrip(const int strips, double *data) {
  for (int r = 0; r < 2 * strips; ++r) {
    double *row = data + 5 * r, line[5];
    for (int i = 0; i < 5; ++i) line[i] = row[i];
    for (int i = 0; i < 5; ++i) row[i] = 0.5 * line[i] + 0.25 * (line[(i + 4) % 5] + line[(i + 1) % 5]);
  }
}
