void parameters(const int n, const float *in, float *out) {
  for (int i = 0; i < n; ++i) out[i] = in[i] * 2.0f;
}
void locals(const int n, const float *a, float *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] + i;
}
void around(const int n, const short *a, short *b) {
  for (int i = 0; i < n; ++i) b[i] = a[i] * 4 + 1;
}
