void complexes(const int n, float *c, float *nested, float *o) {
  for (int i = 0; i < n; ++i) {
    c[0] += i, c[1] += 1;
    c[2] += i, c[3] += 1;
    c[4] = -c[4], c[5] = -c[5];
    if (c[6] * c[6] + c[7] * c[7] < 1.0f * i * i + 1) c[6] = i, c[7] = 1;
    if (i < 3) c[8] *= 2, c[9] *= 2;
    nested[i % 2 * 4 + 2] += 1, nested[i % 2 * 4 + 3] += 2;
    nested[0] += 1, nested[1] += 3;
    if (i < 2) c[10] *= 2, c[11] *= 2;
    c[12] = 1, c[13] = 2;
    c[14] += 1, c[15] = 0;
    c[16] += i, c[17] += 1;
    o[i] = 0;
  }
}
