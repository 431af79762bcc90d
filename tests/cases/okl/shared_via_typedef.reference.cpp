void typedefs(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g, in += 12, out += 12)
    for (int i = 0; i < 12; ++i)
      out[i] = in[11 - i] + 2.0f * in[4 * (2 - i / 4) + i % 4] + 4.0f * in[(i + 1) % 12] + (4 * (1 - i / 6) + 3 - i % 4);
}
