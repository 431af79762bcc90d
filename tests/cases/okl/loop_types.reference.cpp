void intLoops(const int n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] += (k / 4 - 1) / 2 * 10 + 8;
}
void unsignedLoops(const unsigned n, int *out) {
  for (unsigned k = 0; k < 4 * n; ++k) out[k] += (k < 4) + 2 * (k % 4 == 0) + 8;
}
void longLoops(const long n, int *out) {
  for (long k = 0; k < 4 * n; ++k) out[k] += k % 4 + 16;
}
void unsignedLongLoops(const unsigned long n, int *out) {
  for (unsigned long k = 0; k < 4 * n; ++k) out[k] += (k < 4) + k % 4 * 5000000000 % 7 + 8;
}
void sizeLoops(const unsigned long n, int *out) {
  for (unsigned long k = 0; k < 4 * n; ++k) out[k] += (k % 4 == 0) + 16;
}
void shortLoops(const short n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] += (k % 4 == 0 ? 65 : 0) + 4;
}
void charLoops(const char n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] += (k % 4 == 0 ? 255 : k % 4 - 1) + 2;
}
void autoLoops(const long n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] += 8 + 40;
}
void typedefLoops(const long n, int *out) {
  for (int k = 0; k < 4 * n; ++k) out[k] += 8 + 80;
}
