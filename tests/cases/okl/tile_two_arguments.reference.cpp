void groupsOfRows(const int rows, const int *in, int *out) {
  for (int k = 0; k < 6 * rows; ++k) out[k] += in[k / 6 * 6 + 5 - k % 6];
}
void itemsOfTiles(const int n, int *out) {
  for (int k = 0; k < 3 * n; ++k) out[k] += 3;
}
