void broadcast(const int n, const int *in, int *out) {
  for (int k = 0; k < 7 * n; ++k) out[k] = in[k] - in[k / 7 * 7 + k / 7 % 7];
}
void alone(const int n, int *out) {
  for (int g = 0; g < n; ++g) out[g] = 2 * g;
}
