void reduceSteps(const int n, double *out) {
  int levels = 0;
  while (((n + 1) / 2) >> (levels + 1)) ++levels;
  const double weight = 1.0 + ((n + 3) / 4 - 1.0) * 0.5;
  for (int level = 0; level < levels; ++level)
    for (int b = 0; b < (n + (1 << level) - 1) >> level; ++b) out[b] += weight * (1 << level) + 44 + level;
  if (n * 100 % 256 < 100)
    for (int i = 0; i < n; ++i) out[i] += 10000;
}
