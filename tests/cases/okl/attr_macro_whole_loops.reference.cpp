static void reverse(int width, const int n, const int *in, int *out) {
  for (int k = 0; k < n * width; ++k) out[k] = in[k / width * width + width - 1 - k % width];
}
void reverse5(const int n, const int *in, int *out) { reverse(5, n, in, out); }
void reverse8(const int n, const int *in, int *out) { reverse(8, n, in, out); }
void doubled(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] += 2 * i;
}
