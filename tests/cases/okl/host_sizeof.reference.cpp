struct record_t {
  char tag;
  double value;
  int list[3];
};
void sizes(const record_t, const short, int *out) {
  for (int k = 0; k < 64; ++k) out[k] = 32 + 400 + 8000 + (32 + 12 + 400 + 12000) * (k % 8) + 4 + 80 + 400 + 1000 + 80000;
}
void elements(const record_t, const float *values, double *out) {
  const int element = 4 + 40 + 400 + 8000, promoted = 2 + 40 + 200 + 8000;
  for (int k = 0; k < 40; ++k) out[k] = element + promoted + 3 + 4 * (k % 8) + (k / 8 + 1) * values[k % 8];
}
