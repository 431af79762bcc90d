void constants(const int level, double *out) {
  const int sizes[4] = {1, 2, 4, 8};
  for (int i = 0; i < sizes[level] * 6; ++i) {
    double weight = 0.25 + (level % 2 ? 3.5 : 1.5) + 6;
    for (int s = 0; s < 4; ++s) out[i] += (weight += sizes[s]) + (i % 2 ? 3.5 : 2.5) + 5 + sizes[i % 4];
  }
}
