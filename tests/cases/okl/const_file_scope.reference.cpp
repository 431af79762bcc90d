void constants(const int n, const double *u, double *out) {
  const double D[3][3] = {{-1.5, 2, -0.5}, {-0.5, 0, 0.5}, {0.5, -2, 1.5}};
  const int c[3] = {3, 7, 4}, jump[3] = {1, 3, 9}, l[3] = {'b', 'r', 'o'};
  for (int e = 0; e < n; ++e)
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += D[i][k] * u[3 * e + k];
      out[3 * e + i] = sum + 1.5 + (i % 2 ? 0.5 * 1.25 : -0.5 * (1.0 / 3 + 1)) + c[i] + jump[i] + l[i] + 1 + 1 + 6;
    }
}
