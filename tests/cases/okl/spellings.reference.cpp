void spellings(const int n, const float *in, float *out, const int last) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i)
      out[8 * g + i] = in[8 * g + 7 - i] + 1 + (0 + 1 + 2 + 3) + in[0] + in[1] + in[2] + last;
}
