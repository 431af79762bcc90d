void offsets(const long first, const long last, const long stride, long *out) {
  for (long g = first; g < last; g += stride)
    for (long i = 0; i < 4; ++i) *out++ = 3 * (g + i);
}
void sizes(const unsigned long first, const unsigned long last, unsigned long *out) {
  for (unsigned long i = first; i < last; i += 1000000000ul) *out++ = i;
}
void products(const int n, const int m, long *out) {
  for (long k = 5; k > 0; --k) *out++ = 1l * n * m - k;
}
