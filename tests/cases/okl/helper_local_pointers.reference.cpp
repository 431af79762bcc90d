void locals(const int n, const int *in, const int *more, int *out) {
  for (int g = 0; g < n; ++g) {
    const int *row = in + 8 * g;
    int s[8], t[8];
    for (int i = 0; i < 8; ++i) s[i] = i % 2 ? row[i] : more[i], t[i] = i % 2 ? more[i] : row[i];
    const int *best = t[0] > s[0] ? t : s;
    for (int i = 0; i < 8; ++i) {
      int sum = 0;
      for (int k = 0; k < i; ++k) sum += s[k];
      *out++ = sum + 10 * (row[0] + row[1] + row[2]) + 100 * (best[7] + best[0]) + (g % 2 ? in : more)[i] + in[i] + 3 * i + 1;
    }
  }
}
