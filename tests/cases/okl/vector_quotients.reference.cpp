void quotients(const int n, const int *q, int *o) {
  for (int i = 0; i < n; ++i) {
    const int v = q[i];
    const int all[16] = {v / 5,     0,          v % 7, i % 7, v / 4,     1,           v * 8 / 3, 8 / 3,
                         v / 7,     0,          v / 7, 10 * (v % 4), v / 3, 100 / 3, 1000 / (v + 1), 1000 / 7};
    for (int k = 0; k < 16; ++k) o[16 * i + k] = all[k];
  }
}
void literals(const int n, const int *q, int *o) {
  for (int i = 0; i < n; ++i) {
    o[2 * i] = q[i] / 3 + 3;
    o[2 * i + 1] = 100 / (q[i] + 1) + 14;
  }
}
