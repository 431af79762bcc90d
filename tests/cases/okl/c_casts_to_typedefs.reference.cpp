void casts(const int n, const float *in, float *out, int *counts) {
  for (int i = 0; i < n; ++i) {
    out[i] = in[i] + i * 2 + in[i];
    counts[i] = (int)in[i] + 1 + 3 - (int)(in[i] / 2) + 2 + 1 + 2;
    counts[i] += 1 + 2 + 4 + 0 + 1 + 2;
  }
}
