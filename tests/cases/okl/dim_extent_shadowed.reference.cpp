void shadowed(const int size, int *a, int *out) {
  for (int k = 0; k < size * size; ++k) a[k] += 120;
  (void) out;
  out[0] = a[5] + a[6];
}

void unbraced(int size, int *a) {
  for (int k = 0; k < size * size; ++k) a[k] = 2 * size + 1;
}
