void matrices(const int n, const float *in, float *out, float *numbers) {
  for (int e = 0; e < n; ++e) {
    const float *a = in + 9 * e;
    numbers[2 * e] = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                     a[2] * (a[3] * a[7] - a[4] * a[6]);
    numbers[2 * e + 1] = (a[0] + a[4] + a[8]) + (a[0] + a[3]);
    for (int k = 0; k < 9; ++k) out[9 * e + k] = a[k % 3 * 3 + k / 3];
  }
}
