void levels(int n, const double *in, double *out, double *rest) {
  for (int g = 0; g < n; ++g) {
    const double *const x = in + 4 * g;
    const double all = x[0] + x[1] + x[2] + x[3];
    for (int i = 0; i < 4; ++i) {
      const int r = i % 3;
      const double rows[3] = {in[2], x[1], in[1]};
      double sum = rows[r] + x[3 - i] * (r + 1) + x[i] + x[1] * (r + 1);
      sum += all * (r + 1) + 2 * all + 3 * (x[2] + x[3]) * (r + 1) + x[i];
      sum += x[3 - i] + (in[1] + 2 * in[3] + in[1]) + (in[i] + 2 * x[0] + x[2]);
      out[4 * g + i] = 1 + sum;
      rest[4 * g + i] = sum - x[0];
    }
  }
}
