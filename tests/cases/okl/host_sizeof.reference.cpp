struct record_t {
  char tag;
  double value;
  int list[3];
};
void sizes(const record_t, const short, int *out) {
  for (int k = 0; k < 64; ++k) out[k] = 32 + 400 + 8000 + (32 + 12 + 400 + 12000) * (k % 8) + 4 + 80 + 400 + 1000 + 80000;
}
