void localDims(const int n, const float *in, float *out) {
  for (int e = 0; e < n; ++e, in += 16, out += 16)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        out[i + 4 * j] = in[j + 4 * i] + 2.0f * in[i + 4 * (3 - j)] + 4.0f * (2.0f * in[i + 4 * j]) + 8.0f * (2.0f * in[j + 4 * i]);
}
