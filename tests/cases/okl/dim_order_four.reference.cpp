void reorder(const double *t, double *plain, double *turned) {
  for (int l = 0; l < 5; ++l)
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 2; ++i) {
          const double v = t[k + 4 * (l + 5 * (j + 3 * i))];
          plain[i + 2 * (j + 3 * (k + 4 * l))] = v;
          turned[j + 3 * (l + 5 * (i + 2 * k))] = v;
        }
}
