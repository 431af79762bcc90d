void unbraced(int n, int *o) {
  const bool many = n > 3;
  for (int k = 0; k < 4 * n; ++k) {
    o[k] += many ? 7 : 1;
    o[k] += 0 + 1;
  }
}

void exclusiveIndices(int n, const int *a, int *o) {
  for (int b = 0; b < n; ++b) {
    for (int i = 0; i < 4; ++i) {
      const int mirrored = a[(3 - i) + 4 * b];
      o[4 * b + i] = mirrored + a[i + 4 * b] * 2 + mirrored;
    }
  }
}
