void numbers(const int n, long *whole, double *real) {
  for (int k = 0; k < n; ++k) {
    whole[k] = 1000000 + 65536 + 170 + 15 + 255 + 30 + 4611686018427387903L + 97 + 9 + 92 + 39 + 0 + 127 + 127;
    real[k] = 10.25 + 12 + 0.25 + 10 + 1000 + 0.01 + 5 + 1 + 0.125 + 2 + 100;
  }
}
