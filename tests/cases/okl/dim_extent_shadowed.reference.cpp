void shadowed(const int size, int *a, int *out) {
  for (int k = 0; k < size * size; ++k) a[k] += 120;
  (void) out;
  out[0] = a[5] + a[6];
}
