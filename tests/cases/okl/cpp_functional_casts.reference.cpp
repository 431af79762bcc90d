static long twice(long x) { return (long) x * 2; }
static long pick(bool c, long a, short b) { return c ? a : (long) b; }

void casts(const int n, const double *in, long *out, double *sum) {
  for (int k = 0; k < n; ++k) {
    double total = 0;
    const int half = k / 2, other = (int) in[k], third = half + other;
    const long table[3] = {(long) in[k], (short) (in[k] * 2), (unsigned int) k};
    out[k] = (long) in[k] + twice(k) + ((long) in[k] * (k > 2)) + table[k % 3];
    out[k] += pick(k & 1, (short) (k * 30000), (short) (long) in[k]);
    total += (unsigned int) k - (short) 3;
    if (k == 1) out[k] += (char) (300 + k);
    else out[k] -= (unsigned int) -k > (signed int) 5;
    out[k] += 8 + third;
    for (long i = 0; i < k; ++i) total += (double) i + (float) half;
    if ((long) in[k] > 2) total = -(long) total;
    sum[k] = total;
  }
}
