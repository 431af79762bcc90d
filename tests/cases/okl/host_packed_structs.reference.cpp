struct plain_t {
  int pragma;
  int count;
};
void packed(const plain_t, int *out) {
  for (int k = 0; k < 40; ++k) out[k] = k < 5 * 6 ? 5 + 50 + 500 + 16000 + (6 + 80) * (k % 6) + 7 : -1;
}
