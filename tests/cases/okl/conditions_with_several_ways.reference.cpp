void values(const int n, const int *x, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    y[e] = n == 3 || x[e] % 2 == 0 ? 5 : 1;
    z[e] = e % 8;
  }
}

void loops(const int n, const int *x, const int *w, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    if (n == 3 || x[e] % 2 == 0) y[e] = w[3];
    if (n == 3 || x[e] % 4 <= 1) y[24 + e] = w[3];
    y[48 + e] = n != 3 && x[e] % 3 == 0 ? 1 : w[3];
    z[e] = 7 - e % 8;
  }
}

void jumps(const int n, const int *x, const int *w, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    if (n == 3 || x[e] % 2 == 0) y[e] = y[24 + e] = w[3];
    z[e] = 7 - e % 8;
  }
}

void repeated(const int n, const int *x, const int *w, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    y[e] = n == 3 || x[e] % 2 == 0 ? 5 : 1;
    z[e] = n == 3 || x[e] % 3 != 0 ? 7 : 1;
  }
}

void called(const int n, const int *x, const int *w, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    y[e] = n == 3 || x[e] % 3 == 0 ? w[2] : 0;
    z[e] = e % 8;
  }
}

void kept_truths(const int n, const int *x, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    y[e] = n == 3 || x[e] % 2 == 0 ? 5 : 1;
    z[e] = n == 3 || x[e] % 3 == 0 ? 7 : 1;
  }
}

void cases(const int n, const int *x, int *y, int *z) {
  for (int e = 0; e < 24; ++e) {
    const bool two = x[e] % 2 == 0, three = x[e] % 3 == 0;
    if (n == 3) y[e] = two ? 4 : 8;
    else if (n == 4) y[e] = two ? 1 : 8;
    else y[e] = 3;
    if (n == 3) z[e] = three ? 4 : 6;
    else z[e] = n == 4 ? 6 : 3;
  }
}
