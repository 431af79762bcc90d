void particles(const int n, const float dt, float *data, int *ids) {
  for (int i = 0; i < n; ++i) {
    data[3 * i + ids[i] % 3] += dt;
    ids[i] += 1;
  }
}

void squares(const int groups, const double *in, double *out) {
  for (int g = 0; g < groups; ++g)
    for (int round = 0; round < 2; ++round)
      for (int i = 0; i < 8; ++i) {
        const double re = in[2 * (8 * g + i)], im = in[2 * (8 * g + 7 - i) + 1];
        out[16 * g + 8 * round + i] = re * re + im * (round + 1);
      }
}
