void function(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] = 10 * i + 1;
}
void array(const int n, const int *q, int *out) {
  for (int i = 0; i < n; ++i) out[i] = q[2 * i + 1];
}
void otherOrder(const int n, const int *q, int *out) {
  for (int i = 0; i < n; ++i) out[i] = q[i + n] + 1000 + q[0];
}
void functionAgain(const int n, int *out) {
  for (int i = 0; i < n; ++i) out[i] = 20 + i;
}
