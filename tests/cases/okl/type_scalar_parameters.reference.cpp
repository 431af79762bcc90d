void scalars(const bool on, const char c, const unsigned char b, const double d, const short s, const unsigned short u,
             const long l, const float f, const unsigned v, const unsigned long w, const int e, const signed char sc,
             const long long ll, long li, unsigned un, double *out) {
  const double values[16] = {(double) on, (double) c, (double) b, d, (double) s, (double) u, (double) l, f, (double) v, (double) w,
                             e == 300 ? 1.0 : e, (double) sc, (double) ll, (double) li, (double) un, on ? 1 + 1 + 2 + 4 + 8.0 : out[15]};
  for (int k = 0; k < 16; ++k) out[k] = values[k];
}
