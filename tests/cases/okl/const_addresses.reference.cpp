void addresses(int n, int *o) {
  for (int i = 0; i < n; ++i) o[i] = 3 + (i % 2 ? 6 : 5) + 5 + 4 + 3 + 40 + (i > 2 ? 2 : 4) + 200 + 5 + 70;
}
