void unsignedDown(const unsigned n, int *out) {
  for (int i = n; i > 0; --i) out[i - 1] += 1001;
  for (int i = n; i > 2; i -= 3) out[i - 1] += 10;
  for (int i = n; i >= 5; i -= 5) out[i - 1] += 100;
}
