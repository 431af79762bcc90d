struct Accumulator {
  float sum;
  int count[2];
};
void collecting(const int n, const float *in, Accumulator *totals, float *out) {
  auto mean = [=](int g, int i) {
    float sum = 0;
    int negative = 0;
    for (int k = 0; k < 4; ++k) sum += in[16 * g + 4 * k + i], negative += in[16 * g + 4 * k + i] < 0;
    return sum + 10 * (4 - negative) + 100 * negative;
  };
  for (int k = 0; k < 4 * n; ++k) {
    totals[k].sum -= 4, totals[k].count[1] += 4;
    out[k] = mean(k / 4, k % 4) + 1000 * mean(k / 4, 3 - k % 4);
  }
}

void fieldsOfShared(const int n, const double *x, double *y) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 4; ++i)
      y[4 * g + i] = x[12 * g + i] + 10 * x[12 * g + 4 + i] + 100 * x[12 * g + 8 + i] + 3 + 4 + 3;
}
