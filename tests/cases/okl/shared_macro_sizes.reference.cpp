void macroSizes(const int n, const float *in, float *out) {
  const int q = p_Nq, c = p_Nq + 2;
  for (int e = 0; e < n; ++e)
    for (int j = 0; j < c; ++j)
      for (int i = 0; i < c; ++i) {
        float r = (10 * i + j) + (j % (1 + q / 2) - i);
        if (i < q && j < q) r += in[e * q * q + i * q + j];
        out[e * c * c + j * c + i] = r;
      }
}
