void fileScope(const int n, double *x) {
  for (int i = 0; i < n; ++i) x[i] = 1.5 * x[i] + 2;
}

void builtinFunctions(const int n, double *x) {
  for (int i = 0; i < n; ++i) {
    const double square = x[i] * x[i] + 1;
    const double inside = x[i] < 0 ? 0 : x[i] > 3 ? 3 : x[i];
    x[i] = square + 0.5 * (inside - square) + (x[i] < 0 ? -1 : 1) + (x[i] + 1);
  }
}

void keywords(const int n, const double half, double *x) {
  for (int i = 0; i < n; ++i) x[i] = x[i] * 2 + 3 * half + 5 + 9 + 5 + 6 + 7 + 8;
}

void builtinVariables(const int groups, double *x) {
  for (int i = 0; i < 8 * groups; ++i) x[i] += i % 8;
}
