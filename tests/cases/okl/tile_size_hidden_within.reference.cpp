void ofFile(const int n, int *o) {
  for (int i = 0; i < n; ++i) o[i] = 4 + i + 8;
}
void ofLoop(const int n, int *o) {
  for (int i = 0; i < n; ++i) o[i] = 10 * i + 4;
}
void ofOuter(const int n, int *o) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j) o[8 * i + j] = 3 * j;
}
void ofKernel(const int n, int *o) {
  for (int i = 0; i < n; ++i) o[i] = 4 + (i < 20 ? 20 : 0);
}
void blocks(const int n, int *o) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 8; ++j) o[8 * i + j] = 8 - j + 7 + (j < 2 ? 2 : 0) + (j < 3 ? 4 : 0);
  }
}
