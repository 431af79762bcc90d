void fields(const int n, const float *a, float *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] * 2.0f;
}
void bytes(const int n, const short *a, short *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] - (unsigned char)a[i];
}
