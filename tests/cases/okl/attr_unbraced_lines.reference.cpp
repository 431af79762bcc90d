void oneLine(const int n, int *a) {
  for (int k = 0; k < 4 * n; ++k) a[k] += k / 4;
}
void branches(const int n, const int mode, int *a) {
  for (int k = 0; k < 4 * n; ++k) a[k] += mode == 1 ? 1 : mode == 2 ? (k % 2 ? 2 : 3) : mode * (mode - 1) / 2;
}
