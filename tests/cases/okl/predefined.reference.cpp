void predefined(int *a) {
  for (int i = 0; i < 4; ++i) a[i] = 33 + 1 + 1 + 1;
}
