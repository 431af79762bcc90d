void fromGlobal(const int n, const int *values, int *out) {
  for (int i = 0; i < n; ++i) out[i] = values[i];
}
void fromShared(const int n, const int *in, int *out) {
  for (int k = 0; k < 3 * n; ++k) out[k] = in[k] + (k % 3 < 2 ? in[k + 1] : 7);
}
void fromOwn(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] = i + i * i;
}
