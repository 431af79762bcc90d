void gramian(const int n, const float *data, float *out) {
  for (int e = 0; e < n; ++e)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const float *a = data + 12 * e + 4 * i, *b = data + 12 * e + 4 * j;
        float sum = 0.0f;
        for (int k = 0; k < 4; ++k) sum += a[k] * b[k];
        out[i + 3 * (j + 3 * e)] = sum + data[12 * e];
      }
}
