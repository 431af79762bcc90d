void spread(Stream<int> a, int n, Stream<int> o) {
  for (int i = 0; i < n; ++i) o[n - 1 - i] = a[i * a.size() / n];
}

void plane(Stream<int> a, Stream<int> o) {
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 5; ++x) o.at(x, y) = a.at(x * 2 / 5, y * 2 / 3);
}
