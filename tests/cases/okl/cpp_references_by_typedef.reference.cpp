void locals(const int n, float *a, float *b) {
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    b[i] = 2 * a[i];
  }
}

void given(const int n, float *a, float *b) {
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    b[i] = 2 * a[i];
  }
}
