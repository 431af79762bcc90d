void bounds(const long l, const unsigned u, const int m, int *o) {
  for (short i = 3; i < l; i += 1)
    for (unsigned char j = 0; j < 2u; ++j) o[i * 2 + j] += 1;
  for (short i = (short)(m - 2); i < l; ++i)
    for (unsigned char j = 1; j < u; j++) o[i * 2 + j % 2] += 10;
  for (long long i = 0; i < 8; ++i) o[i] += 100 * sizeof(i);
  for (long long i = 7; i >= 0; --i)
    for (unsigned long long j = 2; j > 0; --j) o[i] += 1000 * (int)sizeof(j);
  for (int i = m; i < sizeof(int) * 5; i++) o[i] += 100000;
  for (unsigned char i = -1; i < u; i += 1) o[i] += 5;
  for (unsigned i = m - 20; i < 3 * u; i += 1) o[i] += 7;
  for (short i = (short)(m - 3 + 65536); i < 20; i += 1)
    for (int j = 0; j < 2; ++j) o[i * 2 + j] += 10000000;
  for (int i = m; i < 20UL; ++i)
    for (int j = 0; j < 2; ++j) o[i * 2 + j] += 1000000;
}
