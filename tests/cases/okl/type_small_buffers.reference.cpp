void small(const int n, unsigned char *flags, char *chars, unsigned char *bytes, short *shorts, unsigned short *words, long *longs) {
  for (int k = 0; k < n; ++k) {
    flags[k] = k % 2 == 0 || k % 5 == 0;
    chars[k] = 3 * k >> 1;
    shorts[k] = 90000 - 65536;
    words[k] = k + 2 * 65536 - 70000;
    longs[k] = k * 3000000000L + 14 + flags[k];
    bytes[k] = (255 - 14) * 2 - 256;
  }
}
