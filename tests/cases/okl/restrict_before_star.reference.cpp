struct Entry {
  int value;
};
void positions(const int n, const int *a, float *b, const Entry *entries, const double *c, const unsigned int *last) {
  for (int i = 0; i < n; ++i) {
    b[2 * i] = a[i] + a[i + 1] + entries[i].value + c[i] + last[i];
    b[2 * i + (b[i] > 2)] += 1;
  }
}
