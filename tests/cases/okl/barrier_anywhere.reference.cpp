void sumTree(int groups, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += in[g * 64 + i];
    out[2 * g] = sum;
    out[2 * g + 1] = in[g * 64 + 63];
  }
}

void reference(int groups, int steps, const int *in, int *out) {
  for (int g = 0; g < groups; ++g) {
    auto opposite = [&](int k, int j, int i) { return in[((g * 2 + 1 - k) * 3 + 2 - j) * 4 + 3 - i]; };
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 4; ++i)
          out[((g * 2 + k) * 3 + j) * 4 + i] =
              opposite(k, j, i) + (steps > 1 ? opposite(k, j, (i + 1) % 4) : 0);
  }
}
