void twice(Stream<int2> a, int n, Stream<int> o) {
  for (int i = 0; i < n; ++i) {
    o[2 * i] = a[i].x;
    o[2 * i + 1] = a[i].y;
  }
}

void stairs(Stream<int> a, int n, Stream<int> o) {
  for (int i = 0; i < n; ++i) o[i] = a[n - 1 - i] * 2;
}
