void floats(const float f, const double d, const int n, double *out) {
  const float third = f / 3.0f;
  volatile float sum = 0;
  for (int k = 0; k < 10; ++k) sum = sum + 0.1f;
  const double values[11] = {third, f * 0.1f, f * 0.1, n / 4 + n / 4.0, (float) d, (third + third) + third,
                             (double) (int) (d * 10), (double) (int) (d + 0.5), sum, (sum == 1.0f) + 2.0 * (third < d / 3),
                             0.001 + 250 + 0.5 + 1 + 0.25};
  for (int k = 0; k < 11; ++k) out[k] = values[k];
}
