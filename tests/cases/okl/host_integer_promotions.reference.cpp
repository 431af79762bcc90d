void promotions(const int m, const unsigned int u, const char c, const unsigned char b, const short s, const long, long *out) {
  const bool compared = (unsigned) m / u > 100;
  const long values[22] = {(b + b) % 256, b + 60 > 127 ? b + 60 - 256 : b + 60, (short) (s * 3), (unsigned) (u - 5),
                           m * 3000000L, m * 2L + u, -31, 0,
                           (m >> 2) | 16, 255 - (c & 255), compared, true,
                           1, 8, 4294967296L,
                           (long) (unsigned) (u - 6), (int) (u - 6), compared ? c : b, 97 + 10 + 92 + 65 + 65,
                           1 + (m == 0) + (m != 0 && u > 3), 8 + 5 + 1000, 9};
  for (int k = 0; k < 22; ++k) out[k] = values[k];
}
